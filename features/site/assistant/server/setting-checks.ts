import { NoModelOn } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export const settingChecks: readonly setting.SettingCheck[] = [
  {
    reads: ['allowAssistant'],
    errorsIn: async ({ db, settings }) => (settings.allowAssistant && !(await setting.hasModelOn(db)) ? [NoModelOn()] : []),
  },
]
