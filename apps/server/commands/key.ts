import type { Command } from '#apps/server/commands/command.ts'
import { withStore } from '#apps/server/commands/forum.ts'
import * as account from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { transact } from '#base/server/database/database.ts'
import { runningEmbedded } from '#base/server/postgres/embedded.ts'
import { replaceSealingKey } from '#base/server/security/sealing-key.ts'
import * as contact from '#contact/server/contact.ts'
import * as delivery from '#delivery/server/delivery.ts'
import * as invitation from '#invitation/server/invitation.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'
import * as staff from '#staff/server/staff.ts'
import * as wallet from '#wallet/server/wallet.ts'

export const forgetKey: Command = {
  name: 'key forget',
  usage: '--yes',
  summary:
    'Begins with another key where the old one is lost. What was sealed goes: second factors, passwords and keys among the settings, messages that wait to be sent. The forum must be stopped.',
  argumentCount: { min: 0, max: 0 },
  options: { yes: { type: 'boolean' } },
  async run({ options, config, log }) {
    if (options['yes'] !== true) throw new CannotStart('What was sealed with the old key is lost for good. To go on, add --yes.')
    if (config.databaseUrl === null && runningEmbedded(config.dataDir)) throw new CannotStart('The forum is running. Stop it first.')
    const removed = await withStore({ config, log }, ({ database }) =>
      transact(database, async (tx) => {
        const owners = await staff.purgeUndecryptable(tx)
        for (const id of owners) await audit.noteOperator(tx, { action: 'staff.secondFactor.remove', about: `staff ${id}` })
        const names = await setting.purgeUndecryptable(tx)
        for (const name of names) await audit.noteOperator(tx, { action: 'setting.return', about: `setting ${name}` })
        await delivery.purgeUndecryptable(tx)
        await contact.purgeUndecryptable(tx)
        await realName.purgeUndecryptable(tx)
        await account.purgeUndecryptable(tx)
        await invitation.purgeUndecryptable(tx)
        await secondFactor.purgeUndecryptable(tx)
        await replaceSealingKey({ config, db: tx, log })
        await wallet.forgetSeals(tx)
        await redEnvelope.resealAll(tx)
        return { staff: owners.length, names }
      }),
    )
    const lost = removed.names.length > 0 ? ` Enter these settings again: ${removed.names.join(', ')}.` : ''
    return `The forum has a new key. ${removed.staff} of staff must set up their second factor again.${lost}`
  },
}
