import { checkAll } from './checks.ts'

const results = await checkAll()
process.exitCode = results.every(Boolean) ? 0 : 1
