import { secrets as ofAccount } from '#account/server/routes.ts'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { secrets as ofChallenge } from '#challenge/server/challenge.ts'
import { secrets as ofContact } from '#contact/server/contact.ts'
import { secrets as ofBackup } from '#maintenance/server/download.ts'
import { secrets as ofPayment } from '#payment/server/providers.ts'
import { secrets as ofPush } from '#notification/server/push.ts'

const secrets = [...ofChallenge, ...ofContact, ...ofAccount, ...ofBackup, ...ofPush, ...ofPayment]

type SecretOptions = { config: Config; database: Database; log: Log }

/** Runs before any request, so that no transaction rolls back a key it created. */
export async function loadSecrets({ config, database: { app: db }, log }: SecretOptions): Promise<void> {
  await loadSealingKey({ config, db, log })
  await Promise.all(secrets.map((name) => secretOf(db, name)))
}
