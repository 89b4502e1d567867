import { statSync } from 'node:fs'
import type { Check } from '#apps/server/doctor/check.ts'
import { bad, ok } from '#apps/server/doctor/finding.ts'
import { shortDisks } from '#apps/server/machine-check.ts'
import { findSealingKey, keyFileOf } from '#base/server/security/sealing-key.ts'
import { formatSize } from '#base/size.ts'

export const disks: Check = {
  needs: [],
  run({ config, isEmbedded }) {
    const short = shortDisks({ ...config, isEmbedded })
    return short.length === 0 ? ok('diskFree') : short.map(({ folder, free }) => bad('diskShort', { folder, free: formatSize(free) }))
  },
}

const keyWords = { other: 'keyOther', missing: 'keyMissing', unreadable: 'keyUnreadable' } as const

/** The key is here, is that of the database, and is read by nobody else on the machine. */
export const sealingKey: Check = {
  needs: [],
  async run({ config, database }) {
    const path = keyFileOf(config.dataDir)
    const { state } = await findSealingKey({ config, db: database?.pools.app ?? null })
    if (state !== 'fits' && state !== 'unproved') return bad(keyWords[state], { path: config.sealingKey ? 'TEAHOUSE_KEY' : path })
    const isShared = !config.sealingKey && (statSync(path).mode & 0o077) !== 0
    return isShared ? bad('keyShared', { path }) : ok('keyFits')
  },
}
