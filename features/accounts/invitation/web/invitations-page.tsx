import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { copy } from '#base/web/share.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { makeInvitation, type myInvitations, type revokeMyInvitation } from '#invitation/contract.ts'
import css from '#invitation/web/invitations-page.module.css'
import { useSite } from '#setting/web/setting.tsx'
import { Name } from '#user/web/user.tsx'

type Mine = Output<typeof myInvitations>
type Invitation = Mine['invitations'][number]

/** My invitations, and the members who used them. */
export function Page() {
  const words = useWords('invitation')
  const { mayInvite, left, aMonth, invitations } = useLoaderData<Mine>()
  const { registrationMode } = useSite()
  return (
    <section className="column">
      <p>{words(registrationMode === 'invitation' ? 'what' : 'openToAll')}</p>
      {mayInvite ? (
        <>
          <p className="meta">{words('left', { left, aMonth })}</p>
          {left > 0 && <Make />}
        </>
      ) : (
        <p>{words('mayNot')}</p>
      )}
      {invitations.length === 0 ? mayInvite && <Empty>{words('none')}</Empty> : <List invitations={invitations} />}
    </section>
  )
}

function Make() {
  const words = useWords('invitation')
  return (
    <Form endpoint={makeInvitation} onSuccess={() => undefined}>
      <Field name="note" label={words('note')} help={words('noteHelp')} maxLength={200} />
      <Submit>{words('make')}</Submit>
    </Form>
  )
}

function List({ invitations }: Pick<Mine, 'invitations'>) {
  return (
    <ul className={css.list}>
      {invitations.map((invitation) => (
        <Line key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  )
}

function Line({ invitation: { id, link, state, note, madeAt, until, joined } }: { invitation: Invitation }) {
  const words = useWords('invitation')
  const isOpen = state === 'open'
  return (
    <li>
      <p>
        <strong>{note || words(state)}</strong> {note && <span className="mark">{words(state)}</span>}
      </p>
      <p className="meta">
        {words('madeAt')} <Time at={madeAt} />
        {isOpen && until && (
          <>
            {' · '}
            {words('until')} <Time at={until} />
          </>
        )}
      </p>
      {isOpen && link && <ShareLink id={id} link={link} />}
      {joined.length > 0 && (
        <p>
          {words('joined')}{' '}
          {joined.map((one) => (
            <Name key={one.id} of={one} withRoles={false} />
          ))}
        </p>
      )}
    </li>
  )
}

function ShareLink({ id, link }: { id: string; link: string }) {
  const words = useWords('invitation')
  const revoking = useAction<typeof revokeMyInvitation>('/user/control/invitation/revoke')

  async function revoke(): Promise<void> {
    if (await confirm(words('revokeAsk'), words('revoke'))) await revoking.run({ invitationId: id })
  }

  return (
    <>
      <input
        className={css.link}
        readOnly
        value={link}
        aria-label={words('link')}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <p className="actions">
        <button
          type="button"
          className="button quiet"
          onClick={() => void copy(link).then((isCopied) => toast(words(isCopied ? 'copied' : 'notCopied')))}
        >
          {words('copy')}
        </button>
        <button type="button" className="button quiet" disabled={revoking.isBusy} onClick={() => void revoke()}>
          {words('revoke')}
        </button>
      </p>
    </>
  )
}
