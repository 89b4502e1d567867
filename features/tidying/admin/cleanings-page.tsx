import { useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Choice, Form, Field, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords, type Say } from '#base/web/words.tsx'
import type { memberView } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { clean, cleanings, mergeMembers, undoDays, type undoCleaning } from '#tidying/contract.ts'
import css from '#tidying/admin/cleanings-page.module.css'

type Listed = Output<typeof cleanings>
type Row = Listed['rows'][number]
type Member = Output<typeof memberView>

export function Page() {
  const words = useWords('tidyingAdmin')
  const { page, member } = useLoaderData<{ page: Listed; member: Member | null }>()
  return (
    <>
      <h1>{words('cleanings')}</h1>
      <p className="meta">{words('what', { days: undoDays })}</p>
      {member && <About key={member.id} member={member} />}
      <List of={cleanings} page={page} columns={columnsIn(words)} />
    </>
  )
}

function columnsIn(words: Say): Column<Row>[] {
  return [
    { name: 'at', label: words('at'), show: ({ at }) => <Time at={at} />, text: ({ at }) => at },
    {
      name: 'account',
      label: words('member'),
      show: ({ memberId, account }) => <Link to={`/admin/member/view?memberId=${memberId}`}>{account}</Link>,
      text: ({ account }) => account,
    },
    { name: 'reason', label: words('reason'), show: ({ reason }) => reason, text: ({ reason }) => reason },
    { name: 'by', label: words('by'), show: ({ by }) => by, text: ({ by }) => by },
    {
      name: 'status',
      label: words('status'),
      show: ({ status, removed, restored }) => words(status, { removed, restored }),
      text: ({ status }) => status,
    },
    { name: 'undo', label: words('undo'), show: (row) => <Undo row={row} /> },
  ]
}

function Undo({ row: { id, undoUntil, removed } }: { row: Row }) {
  const words = useWords('tidyingAdmin')
  const undo = useDeed<typeof undoCleaning>('/admin/cleaning/undo')
  if (!undoUntil || !mayDo('member.clean')) return null

  async function bringBack(): Promise<void> {
    if (!(await confirm(words('undoAsk', { count: removed }), words('undo')))) return
    const progress = await undo.go({ cleaningId: id })
    if (progress) say(words(progress.status, progress))
  }

  return (
    <button type="button" className="button quiet" disabled={undo.isBusy} onClick={() => void bringBack()}>
      {words('undo')}
    </button>
  )
}

/** What can be done with one member's words: they go, or they become another's. */
function About({ member }: { member: Member }) {
  const words = useWords('tidyingAdmin')
  const name = member.nickname ?? member.account
  const count = member.topics + member.comments + member.replies
  if (member.isOfficial) return null
  return (
    <div className={css.about}>
      {mayDo('member.clean') && (
        <section>
          <h2>{words('cleanTitle', { name })}</h2>
          <p>{words('cleanWhat', { topics: member.topics, comments: member.comments, replies: member.replies })}</p>
          <Cleaning memberId={member.id} />
        </section>
      )}
      {mayDo('member.cancel') && member.mergedInto === null && (
        <section>
          <h2>{words('mergeTitle', { name })}</h2>
          <p>{words('mergeWhat', { name, count })}</p>
          <Merging member={member} />
        </section>
      )}
    </div>
  )
}

function Cleaning({ memberId }: { memberId: string }) {
  const words = useWords('tidyingAdmin')
  return (
    <Form sends={clean} along={{ memberId }} then={(progress) => void say(words(progress.status, progress))}>
      <Choice name="andThen" label={words('andThen')}>
        {mayDo('member.ban') && <option value="disable">{words('thenDisable')}</option>}
        {mayDo('member.ban') && <option value="ban">{words('thenBan')}</option>}
        <option value="nothing">{words('thenNothing')}</option>
      </Choice>
      <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={500} rows={2} required />
      <Submit>{words('clean')}</Submit>
    </Form>
  )
}

function Merging({ member: { id, account } }: { member: Member }) {
  const words = useWords('tidyingAdmin')
  const { revalidate } = useRevalidator()
  const [times, setTimes] = useState(0)
  return (
    <Form
      key={times}
      sends={mergeMembers}
      along={{ memberId: id }}
      then={() => {
        setTimes(times + 1)
        say(words('merged', { account }))
        return revalidate()
      }}
    >
      <Field
        name="into"
        label={words('into')}
        help={words('intoHelp')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
      />
      <TextField name="reason" label={words('reason')} maxLength={500} rows={2} required />
      <Submit>{words('merge')}</Submit>
    </Form>
  )
}
