"""For authors of games: a first game to change, a check before it is served, and `companion play --dev`."""
