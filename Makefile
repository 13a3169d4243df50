# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin

.PHONY: play test test-faults check bench bench-peers words clean

play: $(VENV)/.play
	@$(RUN)/companion play $(ARGS)

test: check
	$(RUN)/pytest -n 3 --dist worksteal --ignore=tests/faults $(ARGS)

# What takes longer: several processes, servers that are killed, databases and proxies that are restarted, disks that are full, clocks
# that jump, and every game on PostgreSQL.
test-faults: $(VENV)/.test server
	$(RUN)/pytest -n 2 --dist worksteal tests/faults $(ARGS)
	$(RUN)/pytest -n 3 --dist worksteal --ignore=tests/faults --store=postgresql -k postgresql

check: $(VENV)/.test browser server
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

# Companion alone, every figure beside its budget.
bench: $(VENV)/.test browser
	$(RUN)/python -m bench $(ARGS)

# Companion beside boardgame.io, which npm fetches into the ignored .venv; ARGS="--quick" is shorter. It uses the system's own
# Python, if there is one, since that was built with optimisation, as Node is; `make bench ARGS=peers` uses yours.
SYSTEM = $(shell /usr/bin/python3 -c 'import ensurepip, sys; print(sys.executable * (sys.version_info >= (3, 11)))' 2>/dev/null)
bench-peers: npm
	@$(MAKE) --no-print-directory bench VENV=$(VENV)/system PYTHON=$(or $(SYSTEM),$(PYTHON)) ARGS="peers $(ARGS)"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Companion needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.play: $(VENV)/bin/python pyproject.toml
	@echo "Setting up, once ..."
	@$(RUN)/pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(RUN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.play

# The tests drive Debian's own Chromium.
.PHONY: browser
browser:
	@test -x /usr/bin/chromium || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; }

# ... and Debian's own nginx, as a server would have it; the clock that jumps is libfaketime's.
.PHONY: server
server:
	@test -x /usr/sbin/nginx -a -x /usr/bin/openssl -a -x /usr/bin/systemd-analyze -a -n "$$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null)" || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light openssl systemd libfaketime; }

# boardgame.io, which the bench compares with, comes from npm.
.PHONY: npm
npm:
	@command -v npm >/dev/null || { \
	  as_root=$$( [ $$(id -u) = 0 ] || echo sudo ); \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm; }

# The words of the companion, for translators: translations/messages.pot
words: $(VENV)/.test
	$(RUN)/pybabel extract -F babel.cfg -k Say -k NotAllowed -k N_ -k SayN:1,2 -o translations/messages.pot .

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
