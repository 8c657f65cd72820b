#!/bin/sh
# `nuthatch` as it is called in a container. A password comes from a file, so that no setting holds it. A server has to listen to more than its own
# machine here, so it gets a key when it starts for the first time, and prints it.
set -eu
program="${NUTHATCH_PROGRAM:-/app/dist/bundle/nuthatch.js}"

if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD="$(cat "$PGPASSWORD_FILE")"
  export PGPASSWORD
fi

if [ "${1:-}" = serve ]; then
  shift
  case " $* " in
    *" --no-auth "*) ;;
    *)
      if ! "$program" keys list --json 2>/dev/null | grep -q '"scope"'; then
        echo "The first key of this server, shown this once:" >&2
        "$program" keys create --name first --scope admin
      fi
      ;;
  esac
  set -- serve --host 0.0.0.0 "$@"
fi

exec "$program" "$@"
