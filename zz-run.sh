set -e
/tmp/w/slot node24 -e "import('./scripts/pages.mjs').then(m=>m.buildPages(process.cwd(), process.execPath))" >/dev/null
/tmp/w/slot node24 node_modules/vitest/vitest.mjs run "$@" 2>&1 | sed 's/\x1b\[[0-9;]*m//g'
