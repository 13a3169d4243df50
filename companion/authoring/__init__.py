"""For whoever writes a game: a first one to change, a look before it is served, and `companion play --dev`."""
