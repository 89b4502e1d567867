import { houseRules } from './house-rules.js'
import { oneWay } from './one-way.js'

/** Our own rules as a plugin of the linter. */
export default { meta: { name: 'teahouse' }, rules: { 'one-way': oneWay, ...houseRules } }
