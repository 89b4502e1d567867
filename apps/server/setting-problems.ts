import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/database.ts'
import { setDevelopment } from '#base/server/development.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { say } from '#base/server/words.ts'
import * as file from '#file/server/file.ts'
import { allSettings } from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'

/** The stored settings that cannot be used, one sentence each with the command that fixes it. */
export async function settingProblems(db: Db): Promise<string[]> {
  const [unreadable, together] = await Promise.all([setting.invalidSettings(db), setting.crossCheckErrors(db)])
  return [
    ...unreadable.map((name) => {
      const initial = JSON.stringify(allSettings[name].default)
      return `The stored value of the setting ${name} cannot be used, so it is ${initial} until it is set: npm run teahouse -- setting set ${name} VALUE`
    }),
    ...together.map(
      ({ kind, values }) =>
        `The setting ${kind.field} does not fit the others. ${say('en', kind.code, values)} Set it: npm run teahouse -- setting set ${kind.field} VALUE`,
    ),
  ]
}

/** Sets the facts that settings are checked against: development mode, the site's address, and whether there is a file store. */
export function setEnvironment(config: Config): void {
  const { development, store } = config
  setDevelopment(development)
  setSiteAddress(config)
  file.setHasStore(store !== null)
}
