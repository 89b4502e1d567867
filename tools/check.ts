import { checkAll, checkFeature } from './checks.ts'
import { foldersIn } from './repository.ts'

const [feature] = process.argv.slice(2)
if (feature === undefined) end(await checkAll())
else if (foldersIn('features').includes(feature)) end(await checkFeature(feature))
else {
  console.error(`There is no feature ${feature}. There are: ${foldersIn('features').join(', ')}.`)
  process.exitCode = 1
}

function end(results: readonly boolean[]): void {
  process.exitCode = results.every(Boolean) ? 0 : 1
}
