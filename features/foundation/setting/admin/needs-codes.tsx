import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { declarationOf, type AnySetting, type listSettings } from '#setting/staff-contract.ts'

export type UnavailableChannels = Output<typeof listSettings>['unsent']

/** The channels an option of this setting needs that cannot send yet. */
export function unavailableFor(name: AnySetting, unsent: UnavailableChannels): UnavailableChannels {
  return (declarationOf(name).channels ?? []).filter((channel) => unsent.includes(channel))
}

/** Names the channels that an option waits for, with a link to their settings. */
export function NeedsCodes({ name, unsent }: { name: AnySetting; unsent: UnavailableChannels }) {
  const words = useWords('settingAdmin')
  return unsent.map((channel) => (
    <p key={channel} className="note">
      {words(sentences[name === 'allowLoginAccountType' ? 'login' : 'other'][channel])}{' '}
      <Link to={`/admin/setting?group=${channel}`}>{words(channel === 'email' ? 'setUpEmail' : 'setUpTexts')}</Link>
    </p>
  ))
}

// Members with a bound address can log in there with the password all the same.
const sentences = {
  login: { email: 'noEmailCodes', sms: 'noTextCodes' },
  other: { email: 'needsEmails', sms: 'needsTexts' },
} as const
