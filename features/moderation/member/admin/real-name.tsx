import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { focusNext } from '#base/web/focus-later.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Fact } from '#member/admin/fact.tsx'
import { Reason } from '#member/admin/reason.tsx'
import type { Member } from '#member/contract.ts'
import { showRealName } from '#member/name-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#member/admin/member.module.css'

const anchorId = 'real-name'

type Name = Output<typeof showRealName>

/** That the member was verified. Staff with the right see the identity after giving a reason, until they leave the page. */
export function RealName({ member: { id, account, nickname, realName } }: { member: Member }) {
  const words = useWords('memberAdmin')
  const its = useWords('realName')
  return (
    <section id={anchorId} tabIndex={-1} aria-labelledby={`${anchorId}-title`}>
      <h2 id={`${anchorId}-title`}>{its('realName')}</h2>
      {realName ? (
        <VerifiedFact memberId={id} memberName={nickname ?? account} check={realName} />
      ) : (
        <p className="empty">{words('notChecked')}</p>
      )}
    </section>
  )
}

type VerifiedFactProps = { memberId: string; memberName: string; check: NonNullable<Member['realName']> }

function VerifiedFact({ memberId, memberName, check: { document, checkedBy, checkedAt, isMinor, withdrawnAt } }: VerifiedFactProps) {
  const words = useWords('memberAdmin')
  const its = useWords('realName')
  const [realName, setRealName] = useState<Name | null>(null)

  function show(name: Name): void {
    setRealName(name)
    // The element that had focus is gone.
    focusNext(`#${anchorId}`)
  }

  return (
    <>
      <dl className={css.facts}>
        <Fact name={its('document')}>{its(document)}</Fact>
        <Fact name={words('checkedOn')}>
          <Time at={checkedAt} /> · {words('checkedBy', { by: checkedBy })}
        </Fact>
        <Fact name={words('minor')}>{words('minorIs', { isMinor: String(isMinor) })}</Fact>
        {withdrawnAt && (
          <Fact name={words('withdrawnOn')}>
            <Time at={withdrawnAt} /> · {words('withdrawnWhat')}
          </Fact>
        )}
        {realName && <IdentityFacts name={realName} />}
      </dl>
      {!withdrawnAt && !realName && mayDo('member.realName') && <RevealForm memberId={memberId} called={memberName} show={show} />}
    </>
  )
}

function IdentityFacts({ name: { name, number, birthday } }: { name: Name }) {
  const words = useWords('realName')
  return (
    <>
      <Fact name={words('name')}>{name}</Fact>
      <Fact name={words('number')}>{number}</Fact>
      <Fact name={words('birthday')}>{birthday}</Fact>
    </>
  )
}

function RevealForm({ memberId, called, show }: { memberId: string; called: string; show: (name: Name) => void }) {
  const words = useWords('memberAdmin')
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setAsked(true)}>
        {words('showName')}
      </button>
      <Dialog title={words('showNameOf', { name: called })} isOpen={isAsked} close={() => setAsked(false)}>
        {isAsked && (
          <Form endpoint={showRealName} extra={{ memberId }} onSuccess={show}>
            <p>{words('showNameWhat')}</p>
            <Reason />
            <Submit>{words('showNameNow')}</Submit>
          </Form>
        )}
      </Dialog>
    </>
  )
}
