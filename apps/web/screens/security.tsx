import { useLoaderData } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import { memberPagePath, type MemberPageName } from '#apps/web/member-pages.ts'
import css from '#apps/web/screens/security.module.css'
import type { SecurityData } from '#apps/web/screens/security.data.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { paths } from '#contact/web/contact.tsx'
import { useSite } from '#setting/web/setting.tsx'

/** The overview of account security. */
export function Page() {
  const words = useWords('accountSecurity')
  return (
    <section className="column">
      <p className="meta">{words('what')}</p>
      <ul className={css.lines}>
        <LoginSettings />
        <Addresses />
        <Devices />
        <OtherSettings />
      </ul>
    </section>
  )
}

function LoginSettings() {
  const words = useWords('accountSecurity')
  const language = useLanguage()
  const isOfficial = useMember()?.isOfficial ?? false
  const { methods, safety } = useLoaderData<SecurityData>()
  const { hasPassword, linked } = methods
  const isOn = safety.onSince !== null
  const names = linked.map(({ provider }) => provider.name[language])
  return (
    <>
      <SettingRow
        of="password"
        word="account.password"
        state={words(isOfficial ? 'inAdministration' : hasPassword ? 'isSet' : 'notSet')}
        action={words(hasPassword ? 'change' : 'setUp')}
      />
      <SettingRow of="signInMethods" word="identity.methods" state={names.join(', ') || words('noneLinked')} action={words('manage')} />
      <SettingRow
        of="passkeys"
        word="accountSecurity.passkeys"
        state={words('passkeyCount', { count: safety.passkeys.length })}
        action={words(safety.passkeys.length > 0 ? 'manage' : 'add')}
      />
      <SettingRow
        of="secondFactor"
        word="accountSecurity.codes"
        state={words(safety.isStaff ? 'inAdministration' : isOn ? 'on' : 'off')}
        action={words(isOn ? 'manage' : 'setUp')}
      />
    </>
  )
}

const wordOf = { phone: 'contact.phone', email: 'contact.email' }

function Addresses() {
  const words = useWords('accountSecurity')
  const { methods } = useLoaderData<SecurityData>()
  return (['phone', 'email'] as const).map((kind) => {
    const bound = methods[kind]
    // Without verification codes none can be added.
    if (bound === null && !methods.codes.includes(kind)) return null
    return (
      <SettingRow
        key={kind}
        to={paths[kind].binding}
        word={wordOf[kind]}
        state={bound ?? words('notSet')}
        action={words(bound ? 'change' : 'add')}
      />
    )
  })
}

function Devices() {
  const words = useWords('accountSecurity')
  const { safety, devices } = useLoaderData<SecurityData>()
  return (
    <>
      <SettingRow of="userLoginLogList" word="account.loginLog" state={words('sessionCount', { count: devices })} action={words('view')} />
      {safety.onSince && (
        <SettingRow
          of="secondFactor"
          word="accountSecurity.devices"
          state={words('deviceCount', { count: safety.devices.length })}
          action={words('manage')}
        />
      )}
    </>
  )
}

function OtherSettings() {
  const words = useWords('accountSecurity')
  const { open } = useSite()
  const { identity, tokens } = useLoaderData<SecurityData>()
  const isWanted = identity.documents.length > 0 || identity.asked !== 'nobody'
  const verified = identity.checked ? 'verified' : isWanted ? 'notVerified' : 'notRequired'
  return (
    <>
      <SettingRow
        of="realNameAuthentication"
        word="realName.realName"
        state={words(verified)}
        action={words(identity.checked || !isWanted ? 'view' : 'verify')}
      />
      {open.programs && (
        <SettingRow of="tokens" word="mcp.tokens" state={words('tokenCount', { count: tokens })} action={words('manage')} />
      )}
    </>
  )
}

type LineProps = { word: string; state: string; action: string } & ({ of: MemberPageName; to?: never } | { of?: never; to: string })

/** One security setting: its state, and the link to change it. */
function SettingRow({ of: name, to, word, state, action }: LineProps) {
  const words = useWords('accountSecurity')
  const what = useTranslate()(word)
  return (
    <li>
      <div>
        <strong>{what}</strong>
        <p className="meta">{state}</p>
      </div>
      <Link to={name ? memberPagePath(name) : to} className="button quiet" aria-label={words('actionOf', { action, what })}>
        {action}
      </Link>
    </li>
  )
}
