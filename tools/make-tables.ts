import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { featureFiles } from './feature-lists.ts'
import { addressOf } from './repository.ts'

// The lists of features, from their folders; then what the database says. The latter is a process of its own, which reads the new lists.
for (const [path, text] of featureFiles()) writeFileSync(addressOf(path), text)
const { status } = spawnSync(
  process.execPath,
  [...process.execArgv, addressOf('tools/make-database-tables.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
