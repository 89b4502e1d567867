import { hasStore } from '#file/server/storage.ts'
import { NoStoreNamed } from '#setting/contract.ts'
import type { SettingCheck } from '#setting/server/setting.ts'

export const settingChecks: readonly SettingCheck[] = [
  {
    reads: ['fileStorageSystem'],
    errorsIn: ({ settings }) => (settings.fileStorageSystem !== 0 && !hasStore() ? [NoStoreNamed()] : []),
  },
]
