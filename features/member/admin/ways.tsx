import { useState, type ReactNode } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { say } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Fact } from '#member/admin/fact.tsx'
import { Reason } from '#member/admin/reason.tsx'
import type { Ways } from '#member/view-contract.ts'
import { removePasskeyOfMember, unbindOfMember, unlinkOfMember } from '#member/ways-contract.ts'
import css from '#member/admin/member.module.css'

type Whose = { memberId: string; may: boolean }
type Ends = (done: () => void) => ReactNode

/** A member's login methods. Staff with the right remove one, with a reason. */
export function WaysIn({ ways, ...whose }: Whose & { ways: Ways }) {
  const words = useWords('memberAdmin')
  const { contacts, identities, passkeys } = ways
  const isBare = contacts.length + identities.length + passkeys.length === 0
  return (
    <>
      <dl className={css.facts}>
        <Fact name={words('password')}>{words(ways.hasPassword ? 'passwordSet' : 'passwordNone')}</Fact>
        <Fact name={words('codes')}>
          {words(ways.codesSince ? 'codesOn' : 'codesOff')} {ways.codesSince && <Time at={ways.codesSince} />}
        </Fact>
        <Fact name={words('trustedDevices')}>{ways.trustedDevices}</Fact>
      </dl>
      {isBare && <p className="empty">{words('noWays')}</p>}
      <ul className={css.rows}>
        {contacts.map((one) => (
          <Bound key={`${one.kind} ${one.boundAt}`} one={one} {...whose} />
        ))}
        {identities.map((one) => (
          <Linked key={one.id} one={one} {...whose} />
        ))}
        {passkeys.map((one) => (
          <Passkey key={one.id} one={one} {...whose} />
        ))}
      </ul>
    </>
  )
}

function Bound({ one: { kind, shownAs, boundAt }, memberId, may }: Whose & { one: Ways['contacts'][number] }) {
  const words = useWords('memberAdmin')
  const ends: Ends = (done) => (
    <Form sends={unbindOfMember} along={{ memberId, kind, boundAt }} then={done}>
      <p>{words('unbindWhat')}</p>
      <Reason />
      <Submit danger>{words('unbind')}</Submit>
    </Form>
  )
  return (
    <Way name={`${words(kind)} · ${shownAs}`} deed="unbind" title={words('unbindOf', { name: shownAs })} done="unbound" ends={may && ends}>
      {words('boundOn')} <Time at={boundAt} />
    </Way>
  )
}

function Linked({ one: { id, provider, name, linkedAt, usedAt }, memberId, may }: Whose & { one: Ways['identities'][number] }) {
  const words = useWords('memberAdmin')
  const at = provider[useLanguage()]
  const ends: Ends = (done) => (
    <Form sends={unlinkOfMember} along={{ memberId, identityId: id }} then={done}>
      <p>{words('unlinkWhat')}</p>
      <Reason />
      <Submit danger>{words('unlink')}</Submit>
    </Form>
  )
  return (
    <Way name={name ? `${at} · ${name}` : at} deed="unlink" title={words('unlinkOf', { name: at })} done="unlinked" ends={may && ends}>
      {words('linkedOn')} <Time at={linkedAt} /> · {words('lastUsed')} <Time at={usedAt} />
    </Way>
  )
}

function Passkey({ one: { id, name, madeAt, usedAt }, memberId, may }: Whose & { one: Ways['passkeys'][number] }) {
  const words = useWords('memberAdmin')
  const ends: Ends = (done) => (
    <Form sends={removePasskeyOfMember} along={{ memberId, passkeyId: id }} then={done}>
      <p>{words('removePasskeyWhat')}</p>
      <Reason />
      <Submit danger>{words('removePasskey')}</Submit>
    </Form>
  )
  const title = words('removePasskeyOf', { name })
  return (
    <Way name={`${words('passkey')} · ${name}`} deed="removePasskey" title={title} done="passkeyGone" ends={may && ends}>
      {words('passkeyMade')} <Time at={madeAt} /> · {words(usedAt ? 'lastUsed' : 'neverUsed')} {usedAt && <Time at={usedAt} />}
    </Way>
  )
}

type WayProps = { name: string; deed: string; title: string; done: string; ends: Ends | false; children: ReactNode }

function Way({ name, deed, title, done, ends, children }: WayProps) {
  const words = useWords('memberAdmin')
  const [isAsked, setAsked] = useState(false)

  function close(): void {
    setAsked(false)
    say(words(done))
  }

  return (
    <li>
      <div>
        <p>{name}</p>
        <span className="meta">{children}</span>
      </div>
      {ends && (
        <>
          <button type="button" className="button quiet" aria-label={title} onClick={() => setAsked(true)}>
            {words(deed)}
          </button>
          <Dialog title={title} isOpen={isAsked} close={() => setAsked(false)}>
            {isAsked && ends(close)}
          </Dialog>
        </>
      )}
    </li>
  )
}
