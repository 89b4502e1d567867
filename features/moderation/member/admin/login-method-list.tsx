import { useState, type ReactNode } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Fact } from '#member/admin/fact.tsx'
import { Reason } from '#member/admin/reason.tsx'
import type { LoginMethods } from '#member/view-contract.ts'
import { removePasskeyOfMember, unbindOfMember, unlinkOfMember } from '#member/methods-contract.ts'
import css from '#member/admin/member.module.css'

type MethodOwner = { memberId: string; may: boolean }
type RemoveForm = (done: () => void) => ReactNode

/** A member's login methods. Staff with the right remove one, with a reason. */
export function LoginMethodList({ ways, ...whose }: MethodOwner & { ways: LoginMethods }) {
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
          <ContactLine key={`${one.kind} ${one.boundAt}`} one={one} {...whose} />
        ))}
        {identities.map((one) => (
          <IdentityLine key={one.id} one={one} {...whose} />
        ))}
        {passkeys.map((one) => (
          <PasskeyLine key={one.id} one={one} {...whose} />
        ))}
      </ul>
    </>
  )
}

function ContactLine({ one: { kind, shownAs, boundAt }, memberId, may }: MethodOwner & { one: LoginMethods['contacts'][number] }) {
  const words = useWords('memberAdmin')
  const ends: RemoveForm = (done) => (
    <Form endpoint={unbindOfMember} extra={{ memberId, kind, boundAt }} onSuccess={done}>
      <p>{words('unbindWhat')}</p>
      <Reason />
      <Submit danger>{words('unbind')}</Submit>
    </Form>
  )
  return (
    <MethodLine
      name={`${words(kind)} · ${shownAs}`}
      action="unbind"
      title={words('unbindOf', { name: shownAs })}
      message="unbound"
      ends={may && ends}
    >
      {words('boundOn')} <Time at={boundAt} />
    </MethodLine>
  )
}

function IdentityLine({
  one: { id, provider, name, linkedAt, usedAt },
  memberId,
  may,
}: MethodOwner & { one: LoginMethods['identities'][number] }) {
  const words = useWords('memberAdmin')
  const at = provider[useLanguage()]
  const ends: RemoveForm = (done) => (
    <Form endpoint={unlinkOfMember} extra={{ memberId, identityId: id }} onSuccess={done}>
      <p>{words('unlinkWhat')}</p>
      <Reason />
      <Submit danger>{words('unlink')}</Submit>
    </Form>
  )
  return (
    <MethodLine
      name={name ? `${at} · ${name}` : at}
      action="unlink"
      title={words('unlinkOf', { name: at })}
      message="unlinked"
      ends={may && ends}
    >
      {words('linkedOn')} <Time at={linkedAt} /> · {words('lastUsed')} <Time at={usedAt} />
    </MethodLine>
  )
}

function PasskeyLine({ one: { id, name, madeAt, usedAt }, memberId, may }: MethodOwner & { one: LoginMethods['passkeys'][number] }) {
  const words = useWords('memberAdmin')
  const ends: RemoveForm = (done) => (
    <Form endpoint={removePasskeyOfMember} extra={{ memberId, passkeyId: id }} onSuccess={done}>
      <p>{words('removePasskeyWhat')}</p>
      <Reason />
      <Submit danger>{words('removePasskey')}</Submit>
    </Form>
  )
  const title = words('removePasskeyOf', { name })
  return (
    <MethodLine name={`${words('passkey')} · ${name}`} action="removePasskey" title={title} message="passkeyGone" ends={may && ends}>
      {words('passkeyMade')} <Time at={madeAt} /> · {words(usedAt ? 'lastUsed' : 'neverUsed')} {usedAt && <Time at={usedAt} />}
    </MethodLine>
  )
}

type MethodLineProps = { name: string; action: string; title: string; message: string; ends: RemoveForm | false; children: ReactNode }

function MethodLine({ name, action, title, message, ends, children }: MethodLineProps) {
  const words = useWords('memberAdmin')
  const [isAsked, setAsked] = useState(false)

  function close(): void {
    setAsked(false)
    toast(words(message))
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
            {words(action)}
          </button>
          <Dialog title={title} isOpen={isAsked} close={() => setAsked(false)}>
            {isAsked && ends(close)}
          </Dialog>
        </>
      )}
    </li>
  )
}
