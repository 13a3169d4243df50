# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin

.PHONY: play test test-faults test-hostile test-long check gallery bench bench-peers lighthouse words docs fonts icons lock audit release clean

play: $(VENV)/.play
	@$(RUN)/companion play $(ARGS)

test: check
	$(RUN)/pytest -n 3 --dist worksteal --ignore=tests/faults --ignore=tests/hostile $(ARGS)

# The slow tests: several processes, killed servers, restarted databases and proxies, full disks, clocks that jump, double taps on
# every button, a hostile neighbour, and every game on PostgreSQL. What keeps both cores busy (installations, every screen in every
# language) runs by itself, because some of the others compare times.
BUSY = $(addprefix tests/faults/test_,languages_fit.py stranger.py release.py container.py network_changes.py upgrade.py)
test-faults: $(VENV)/.test browser server
	$(RUN)/pytest -n 2 --dist worksteal $(addprefix --ignore=,$(BUSY)) tests/faults $(ARGS)
	$(RUN)/pytest -n 2 --dist worksteal $(BUSY)
	@$(MAKE) --no-print-directory test-hostile
	$(RUN)/pytest -n 3 --dist worksteal --ignore=tests/faults --ignore=tests/hostile --store=postgresql -k postgresql

# A hundred thousand random requests, and other attacks from the same Wi-Fi. It prints its seed; to repeat a run:
# COMPANION_SEED=1234 make test-hostile
test-hostile: $(VENV)/.test
	$(RUN)/pytest -n 2 --dist worksteal -rP tests/hostile $(ARGS)

# Crash tests for about half an hour: 300 kills under load on SQLite, 60 on PostgreSQL, 100 around a burn on each.
test-long: $(VENV)/.test
	COMPANION_KILLS=300 COMPANION_KILLS_AT_A_BURN=100 $(RUN)/pytest tests/faults/test_crash.py --timeout=3600 --store=sqlite $(ARGS)
	COMPANION_KILLS=60 COMPANION_KILLS_AT_A_BURN=100 $(RUN)/pytest tests/faults/test_crash.py --timeout=3600 --store=postgresql $(ARGS)

check: $(VENV)/.test browser server
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

# Screenshots of every phase of every game on every screen, as one page: gallery/index.html. ARGS="--game traitors --size 1280x800" is
# quick, ARGS=--look prints layout faults instead, ARGS=--readme takes the pictures of README and docs whose screens have changed.
gallery: $(VENV)/.test browser
	$(RUN)/python tools/gallery.py $(ARGS)

# Measure Companion alone, every figure with its budget; ARGS="paint --game risk" measures only two slow phones in one game.
bench: $(VENV)/.test browser
	$(RUN)/python -m bench $(ARGS)

# Compare Companion with boardgame.io and, on phones, Colyseus; npm installs both into the ignored .venv. ARGS="--quick" is shorter.
# It uses the system's Python if there is one, since that is an optimised build, as Node is; `make bench ARGS=peers` uses yours.
SYSTEM = $(shell /usr/bin/python3 -c 'import ensurepip, sys; print(sys.executable * (sys.version_info >= (3, 11)))' 2>/dev/null)
bench-peers: npm
	@$(MAKE) --no-print-directory bench VENV=$(VENV)/system PYTHON=$(or $(SYSTEM),$(PYTHON)) ARGS="peers $(ARGS)"

# Lighthouse on seven pages; fails below 100. ARGS="--quick" visits each page once.
lighthouse: $(VENV)/.test browser npm
	$(RUN)/python -m bench.lighthouse $(ARGS)

PIP = $(RUN)/pip install -q --disable-pip-version-check

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Companion needs Python 3.11 or newer.")'
	@echo "Setting up: a Python environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# The dependencies in pyproject.toml and the build tools, so that a later `make play` needs no internet.
REQUIRED = import tomllib; read = tomllib.load(open("pyproject.toml", "rb")); \
  print(*read["project"]["dependencies"], *read["build-system"]["requires"], "editables", sep="\n")
$(VENV)/.packages: $(VENV)/bin/python pyproject.toml
	@echo "Setting up: the packages that Companion uses ..."
	@$(RUN)/python -c '$(REQUIRED)' > $@.txt
	@$(PIP) -r $@.txt
	@touch $@

# Installing the checkout also compiles the translations.
WORDS = $(wildcard translations/*/LC_MESSAGES/*.po)
$(VENV)/.play: $(VENV)/.packages $(WORDS)
	@echo "Setting up: Companion itself ..."
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# The tests run with exactly the packages in the lock file, checked by their hashes.
$(VENV)/.test: $(VENV)/bin/python pyproject.toml requirements/test.txt $(WORDS)
	$(PIP) --require-hashes -r requirements/test.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@$(RUN)/pip check -q || { echo "pyproject.toml asks for more than the lock file has: make lock"; exit 1; }
	@touch $(VENV)/.packages $(VENV)/.play $@

# The tests drive Debian's own Chromium.
.PHONY: browser
browser:
	@test -x /usr/bin/chromium || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; }

# They also use Debian's nginx, as a server would, and libfaketime for clocks that jump.
.PHONY: server
server:
	@test -x /usr/sbin/nginx -a -x /usr/bin/openssl -a -x /usr/bin/systemd-analyze -a -n "$$(command -v ip)" -a -n "$$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null)" || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light openssl systemd libfaketime iproute2; }

# boardgame.io and Colyseus, Lighthouse and the typeface come from npm.
.PHONY: npm
npm:
	@command -v npm >/dev/null || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm; }

# For translators: extract all messages, update and compile every language's .po file, and print what is left to translate.
# A new language: make words ARGS=it
words: $(VENV)/.test
	$(RUN)/python tools/words.py $(ARGS)

# Write the lock files, for Python 3.11 or newer on every system; ARGS=--upgrade takes the newest versions.
LOCK = $(VENV)/tools/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
  --custom-compile-command 'make lock' $(ARGS)
lock: $(VENV)/.tools
	$(LOCK) pyproject.toml --extra server -o requirements/server.txt
	$(LOCK) pyproject.toml --extra dev -o requirements/test.txt
	$(LOCK) --group release -o requirements/release.txt
	$(LOCK) --group fonts -o requirements/fonts.txt

# Look up known vulnerabilities of the packages that a server and the tests use; needs the internet.
audit: $(VENV)/.tools
	$(VENV)/tools/bin/pip-audit --require-hashes --disable-pip -r requirements/server.txt -r requirements/test.txt

# Build the packages into dist/, check them, play them on every Python of this machine, and add a CycloneDX SBOM of a server.
release: $(VENV)/.test $(VENV)/.tools
	rm -rf dist
	$(RUN)/python -m hatchling build -d dist
	$(VENV)/tools/bin/twine check --strict dist/*
	$(VENV)/tools/bin/check-wheel-contents dist/*.whl
	COMPANION_DIST=dist $(RUN)/pytest -n 2 -rP tests/faults/test_release.py
	$(VENV)/tools/bin/uvx --from dist/*.whl companion-table --version
	$(VENV)/tools/bin/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application --output-reproducible \
	  --of JSON -o dist/companion_table.cdx.json requirements/server.txt

$(VENV)/.tools: requirements/release.txt
	@$(PYTHON) -m venv $(VENV)/tools
	$(VENV)/tools/bin/pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Write the generated parts of docs/games.md and its picture; then build the documentation as a website in site/.
docs: $(VENV)/.test browser
	$(RUN)/python tools/generate.py
	$(RUN)/mkdocs build --strict --quiet

# Make static/fonts from the npm package. tests/test_house.py has the hashes; static/VENDORED.md names the version.
FONT = @fontsource-variable/fraunces
fonts: npm $(VENV)/bin/python
	$(RUN)/python -m venv $(VENV)/fonts
	$(VENV)/fonts/bin/pip install -q --disable-pip-version-check --require-hashes -r requirements/fonts.txt
	npm install --silent --no-save --ignore-scripts --prefix $(VENV)/fonts $(FONT)@5.3.0
	$(VENV)/fonts/bin/python tools/fonts.py $(VENV)/fonts/node_modules/$(FONT) static/fonts

# static/icons, from static/icon.svg.
icons: $(VENV)/.test browser
	$(RUN)/python tools/icons.py

clean:
	rm -rf $(VENV) dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
