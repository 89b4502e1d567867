import { useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useAddress, useRegion } from '#base/web/region.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Reason } from '#member/admin/reason.tsx'
import { Roles } from '#member/admin/roles.tsx'
import { OneTimePassword } from '#member/admin/one-time-password.tsx'
import { LoginMethodList } from '#member/admin/login-method-list.tsx'
import { Sessions } from '#member/admin/sessions.tsx'
import { resetMemberHint, resetMemberPassword, type Member } from '#member/contract.ts'
import { removeMemberFactor } from '#member/factor-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#member/admin/member.module.css'

export function Access({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const region = useRegion()
  const may = mayDo('member.access') && !member.isOfficial
  return (
    <>
      <Roles member={member} />
      <h2>{words('ways')}</h2>
      {member.ways && <LoginMethodList ways={member.ways} memberId={member.id} may={may} />}
      {may && <Resets member={member} />}
      {member.joinedIp && (
        <p>
          {words('joinedIp')}: <Link to={`/admin/member?ip=${member.joinedIp}`}>{member.joinedIp}</Link> {region(member.joinedRegion)}
        </p>
      )}
      <Sessions member={member} />
      {member.logins.length > 0 && <Logins logins={member.logins} />}
    </>
  )
}

function Logins({ logins }: { logins: Member['logins'] }) {
  const words = useWords('memberAdmin')
  const address = useAddress()
  return (
    <>
      <h2>{words('logins')}</h2>
      <ul className={css.rows}>
        {logins.map((one) => (
          <li key={one.id}>
            <span>{address(one)}</span>
            <span className="meta">
              {words(one.kind)} · <Time at={one.at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const titles = { password: 'resetPassword', hint: 'resetHint', factor: 'removeFactor' } as const
type Reset = keyof typeof titles

function Resets({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const [openReset, setOpenReset] = useState<Reset | null>(null)
  const [password, setPassword] = useState<string | null>(null)
  return (
    <>
      <div className={css.actions}>
        <button type="button" className="button quiet" onClick={() => setOpenReset('password')}>
          {words('resetPassword')}
        </button>
        {member.hasHint && (
          <button type="button" className="button quiet" onClick={() => setOpenReset('hint')}>
            {words('resetHint')}
          </button>
        )}
        {member.hasSecondFactor && (
          <button type="button" className="button quiet" onClick={() => setOpenReset('factor')}>
            {words('removeFactor')}
          </button>
        )}
      </div>
      <Dialog title={words(titles[openReset ?? 'password'])} isOpen={openReset !== null} close={() => setOpenReset(null)}>
        {openReset === 'password' && (
          <PasswordForm
            memberId={member.id}
            made={(fresh) => {
              setOpenReset(null)
              setPassword(fresh)
            }}
          />
        )}
        {openReset === 'hint' && <HintForm memberId={member.id} onDone={() => setOpenReset(null)} />}
        {openReset === 'factor' && <FactorForm memberId={member.id} onDone={() => setOpenReset(null)} />}
      </Dialog>
      {password && <OneTimePassword password={password} close={() => setPassword(null)} />}
    </>
  )
}

function PasswordForm({ memberId, made }: { memberId: string; made: (password: string) => void }) {
  const words = useWords('memberAdmin')
  return (
    <Form endpoint={resetMemberPassword} extra={{ memberId }} onSuccess={({ password }) => made(password)}>
      <p>{words('resetPasswordWhat')}</p>
      <Reason />
      <Submit>{words('resetPassword')}</Submit>
    </Form>
  )
}

function HintForm({ memberId, onDone }: { memberId: string; onDone: () => void }) {
  const words = useWords('memberAdmin')
  return (
    <Form
      endpoint={resetMemberHint}
      extra={{ memberId }}
      onSuccess={() => {
        onDone()
        toast(words('hintGone'))
      }}
    >
      <p>{words('resetHintWhat')}</p>
      <Reason />
      <Submit>{words('resetHint')}</Submit>
    </Form>
  )
}

function FactorForm({ memberId, onDone }: { memberId: string; onDone: () => void }) {
  const words = useWords('memberAdmin')
  return (
    <Form
      endpoint={removeMemberFactor}
      extra={{ memberId }}
      onSuccess={() => {
        onDone()
        toast(words('factorGone'))
      }}
    >
      <p>{words('removeFactorWhat')}</p>
      <Reason />
      <Submit>{words('removeFactor')}</Submit>
    </Form>
  )
}
