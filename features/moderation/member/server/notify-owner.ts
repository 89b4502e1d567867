import type { Db } from '#base/server/database/database.ts'
import * as contact from '#contact/server/contact.ts'
import * as notification from '#notification/server/notification.ts'
import type { NameView } from '#role/contract.ts'
import type { z } from 'zod'

type LoginMethodChange =
  | { what: 'password' | 'hint' | 'secondFactor' }
  | {
      what: 'phone' | 'email' | 'identity' | 'passkey'
      /** The identity's or passkey's name; an address masked. */ its: z.infer<typeof NameView>
    }

const resets = { password: 'passwordReset', hint: 'hintReset', secondFactor: 'secondFactorRemoved' } as const

/**
 * Notifies an owner of a change by staff to the login methods: in the forum, and at the earlier addresses. It refers to the staff and has
 * no undo link, because staff could otherwise help no owner against a thief. Call it last in a transaction.
 */
export async function notifyOwner(
  tx: Db,
  memberId: string,
  changed: LoginMethodChange,
  before?: readonly contact.Address[],
): Promise<void> {
  const { what } = changed
  const isWay = 'its' in changed
  await notification.notify(
    tx,
    memberId,
    isWay ? { kind: 'wayRemoved', way: changed.what, its: changed.its } : { kind: resets[changed.what] },
  )
  const { language } = await tx.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  const its = isWay ? changed.its[language === 'en' ? 'en' : 'zh'] : ''
  await contact.notifyAllAddresses(tx, memberId, 'staffChanged', { values: { what, its }, ...(before && { addresses: before }) })
}
