import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { AnySetting, listSettings } from '#setting/contract.ts'

export type Unsent = Output<typeof listSettings>['unsent']
type Channel = Unsent[number]

/** Settings with choices that work by codes, and how those are sent. */
const needed: Partial<Record<AnySetting, readonly Channel[]>> = {
  allowRegisterAccountType: ['email', 'sms'],
  allowLoginAccountType: ['email', 'sms'],
  realNameForPosting: ['sms'],
}

/** By what codes cannot be sent yet that a choice of this setting needs. */
export function unsentFor(name: AnySetting, unsent: Unsent): Unsent {
  return (needed[name] ?? []).filter((channel) => unsent.includes(channel))
}

/** What a choice waits for, and where it is set up. */
export function NeedsCodes({ name, unsent }: { name: AnySetting; unsent: Unsent }) {
  const words = useWords('settingAdmin')
  return unsent.map((channel) => (
    <p key={channel} className="note">
      {words(sentences[name === 'allowLoginAccountType' ? 'login' : 'other'][channel])}{' '}
      <Link to={`/admin/setting?group=${channel}`}>{words(channel === 'email' ? 'setUpEmail' : 'setUpTexts')}</Link>
    </p>
  ))
}

// Whoever has bound an address logs in there with the password all the same.
const sentences = {
  login: { email: 'noEmailCodes', sms: 'noTextCodes' },
  other: { email: 'needsEmails', sms: 'needsTexts' },
} as const
