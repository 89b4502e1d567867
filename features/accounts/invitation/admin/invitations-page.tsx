import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { copy } from '#base/web/share.ts'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { addInvitation, invitationList, type joinedBy, type revokeInvitation } from '#invitation/staff-contract.ts'

type Row = Output<typeof invitationList>['rows'][number]

export function Page() {
  const words = useWords('invitationAdmin')
  const page = useLoaderData<Output<typeof invitationList>>()
  const [isMaking, make] = useState(false)
  const [selected, ask] = useState<Row | null>(null)
  return (
    <>
      <Head title={words('invitations')}>
        <button type="button" className="button" onClick={() => make(true)}>
          {words('add')}
        </button>
      </Head>
      <p className="meta">{words('what')}</p>
      <StaffList of={invitationList} page={page} cells={cellsIn(words, ask)} />
      <Dialog title={words('add')} isOpen={isMaking} close={() => make(false)}>
        {isMaking && <AddForm onDone={() => make(false)} />}
      </Dialog>
      <Dialog title={words('whoTitle')} isOpen={selected !== null} close={() => ask(null)}>
        {selected && <JoinedMembers invitationId={selected.id} />}
      </Dialog>
    </>
  )
}

function cellsIn(words: Translate, ask: (row: Row) => void): CellsOf<typeof invitationList> {
  return {
    by: { show: AuthorCell, text: ({ staff, member }) => member?.name ?? staff ?? '' },
    used: { show: ({ used, uses }) => words('usedOf', { used, uses }), text: ({ used, uses }) => `${used}/${uses}` },
    until: { show: ({ until }) => (until ? <Time at={until} /> : words('always')) },
    actions: { show: (row) => <Actions row={row} ask={() => ask(row)} /> },
  }
}

function AuthorCell({ staff, member }: Row) {
  if (!member) return staff
  return (
    <a href={`/user/control/home?userId=${member.id}`} target="_blank" rel="noopener">
      {member.name}
    </a>
  )
}

function Actions({ row: { id, link, state, used }, ask }: { row: Row; ask: () => void }) {
  const words = useWords('invitationAdmin')
  const revoking = useAction<typeof revokeInvitation>('/admin/invitation/revoke')

  async function revoke(): Promise<void> {
    if (await confirm(words('revokeAsk'), words('revoke'))) await revoking.run({ invitationId: id })
  }

  return (
    <>
      {state === 'open' && link === null && <p className="meta">{words('codeLost')}</p>}
      {state === 'open' && link !== null && (
        <button type="button" className="plain" onClick={() => void copied(link, words)}>
          {words('copy')}
        </button>
      )}{' '}
      {used > 0 && (
        <button type="button" className="plain" onClick={ask}>
          {words('who')}
        </button>
      )}{' '}
      {state === 'open' && (
        <button type="button" className="plain" disabled={revoking.isBusy} onClick={() => void revoke()}>
          {words('revoke')}
        </button>
      )}
    </>
  )
}

async function copied(link: string, words: Translate): Promise<void> {
  toast((await copy(link)) ? words('copied') : `${words('notCopied')} ${link}`)
}

function AddForm({ onDone }: { onDone: () => void }) {
  const words = useWords('invitationAdmin')
  return (
    <Form endpoint={addInvitation} onSuccess={onDone}>
      <Field name="uses" type="number" label={words('uses')} min={1} max={1000} defaultValue={1} required />
      <Field name="days" type="number" label={words('days')} help={words('daysHelp')} min={1} max={3650} />
      <Field name="note" label={words('note')} help={words('noteHelp')} maxLength={200} />
      <Submit>{words('make')}</Submit>
    </Form>
  )
}

function JoinedMembers({ invitationId }: { invitationId: string }) {
  const words = useWords('invitationAdmin')
  const api = useApi()
  const [joined, setJoined] = useState<Output<typeof joinedBy>['joined'] | null>(null)
  useEffect(() => {
    void api.read<typeof joinedBy>('/admin/invitation/joined', { invitationId }).then((answer) => setJoined(answer.joined))
  }, [api, invitationId])
  if (joined === null) return null
  if (joined.length === 0) return <p>{words('nobody')}</p>
  return (
    <ul>
      {joined.map(({ member, at }) => (
        <li key={member.id}>
          <a href={`/admin/member/view?memberId=${member.id}`}>{member.name}</a> <Time at={at} />
        </li>
      ))}
    </ul>
  )
}
