import { checkAll, checkFeature } from './checks.ts'
import { order } from '../features/order.js'

const [feature] = process.argv.slice(2)
if (feature === undefined) end(await checkAll())
else if (order.includes(feature)) end(await checkFeature(feature))
else {
  console.error(`There is no feature ${feature}. There are: ${order.join(', ')}.`)
  process.exitCode = 1
}

function end(results: readonly boolean[]): void {
  process.exitCode = results.every(Boolean) ? 0 : 1
}
