#!/usr/bin/env bash
# Builds the image that SAM CLI runs functions in, for machines that cannot pull AWS's image: from the project's Node
# 24, AWS's runtime client, and this machine's C library and shell. SAM CLI adds its emulator to it.
set -euo pipefail
cd "$(dirname "$0")/../../.."

case $(uname -m) in
  x86_64) tag=24-x86_64 ;;
  aarch64) tag=24-arm64 ;;
  *) echo "No Lambda image for $(uname -m)" >&2; exit 1 ;;
esac

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# add FILE…: copies programs, with the libraries they load, to the same paths in the image.
add() {
  local file
  for file in "$@" $(ldd "$@" | grep -o '/[^ :]*' | sort -u); do
    install -D "$(readlink -f "$file")" "$root$file"
  done
}

# AWS's runtime client has native parts, which its scripts compile. Each version of npm has a rule of its own for whether
# installing runs them.
client=${XDG_CACHE_HOME:-$HOME/.cache}/staking-data-service/aws-lambda-ric@4.0.2
if [ ! -d "$client/node_modules" ]; then
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$client.$$" aws-lambda-ric@4.0.2
  for script in preinstall postinstall; do npm run --silent --prefix "$client.$$/node_modules/aws-lambda-ric" "$script" >&2; done
  mv "$client.$$" "$client"
fi
node=$(node infra/tools/node.cjs -p process.execPath)
mkdir -p "$root/var/runtime/node_modules" "$root/var/task" "$root/opt" "$root/tmp"
cp -r "$client/node_modules/." "$root/var/runtime/node_modules/"
add /bin/sh "$(command -v mv)" "$(command -v chmod)" "$node"
# `add` has put node at its path on this machine; Lambda's is /usr/bin/node.
install -D "$node" "$root/usr/bin/node" && rm "$root$node"
find "$client" -name '*.node' -exec ldd {} + | grep -o '/lib[^ :]*' | sort -u | while read -r library; do
  install -D "$(readlink -f "$library")" "$root$library"
done

cat >"$root/var/runtime/bootstrap" <<'BOOTSTRAP'
#!/bin/sh
exec /usr/bin/node /var/runtime/node_modules/aws-lambda-ric/index.mjs "$_HANDLER"
BOOTSTRAP
chmod +x "$root/var/runtime/bootstrap"

tar -C "$root" -c . | docker import --change 'WORKDIR /var/task' \
  --change 'ENV LAMBDA_TASK_ROOT=/var/task PATH=/usr/bin:/bin' - "public.ecr.aws/lambda/nodejs:$tag"
