import type { Page } from 'playwright-core'
import { hashOnce } from '#account/testing/factories.ts'
import { ageLogin } from '#base/testing/session.ts'
import type { Site } from './site.ts'
import type { wordsIn } from './words.ts'

export const password = 'rain-on-the-roof'

/** A member with an old login and a password for re-authentication. */
export async function requireReauthentication(site: Site, account: string): Promise<void> {
  const password_hash = await hashOnce(password)
  const { id } = await site.database.app
    .updateTable('member')
    .set({ password_hash })
    .where('account', '=', account)
    .returning('id')
    .executeTakeFirstOrThrow()
  await ageLogin(site.database, { id })
}

/** Re-authenticates when asked. */
export async function reauthenticate(
  page: Page,
  words: ReturnType<typeof wordsIn>,
  look: () => Promise<void> = async () => undefined,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: words('secondFactor.proveTitle') })
  await dialog.getByLabel(words('secondFactor.password'), { exact: true }).fill(password)
  await look()
  await dialog.getByRole('button', { name: words('secondFactor.goOn') }).click()
  await dialog.waitFor({ state: 'detached' })
}
