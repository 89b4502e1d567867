import { useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { joinNames } from '#base/language.ts'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import { Head } from '#base/admin/head.tsx'
import { useRegionColumn } from '#base/admin/region-column.ts'
import type { Output } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { RunningBatches } from '#batch/admin/batch.tsx'
import type { BatchView } from '#batch/contract.ts'
import { useMemberBatch } from '#member/admin/bulk-actions.tsx'
import { OneTimePassword } from '#member/admin/one-time-password.tsx'
import { StateMark } from '#member/admin/state-mark.tsx'
import { addMember, memberList, noteExport, states } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type Data = Output<typeof memberList>
type Row = Data['rows'][number]

export function Page() {
  const words = useWords('memberAdmin')
  const region = useRegionColumn<Row>(({ joinedRegion }) => joinedRegion)
  const language = useLanguage()
  const { page, atWork } = useLoaderData<{ page: Data; atWork: readonly BatchView[] }>()
  const batch = useMemberBatch(page.roleChoices)
  const [query] = useSearchParams()
  return (
    <>
      <Head title={words('members')}>{mayDo('member.edit') && <AddMember />}</Head>
      <RunningBatches batches={atWork} />
      <List
        of={memberList}
        page={page}
        columns={[...columnsIn(words, language), region]}
        called={nameOf}
        bulkActions={batch}
        exporting={noteExport}
        filters={
          <Filters>
            <FilterText name="name" label={words('namePart')} />
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('anyState')}
              options={states.map((state) => [state, words(`state${state}`)])}
            />
            <FilterChoice
              name="roleId"
              label={words('roles')}
              any={words('anyState')}
              options={page.roleChoices.map(({ id, name }) => [id, name[language]])}
            />
            <FilterText name="ip" label={words('ip')} />
            <FilterDay name="joinedSince" label={words('joinedSince')} edge="start" />
            <FilterDay name="joinedUntil" label={words('joinedUntil')} edge="end" />
            <FilterDay name="seenSince" label={words('seenSince')} edge="start" />
            <FilterDay name="seenUntil" label={words('seenUntil')} edge="end" />
            {query.has('batchId') && <FilterText name="batchId" label={words('ofBatch')} />}
            {page.fields.length > 0 && <FieldFilter fields={page.fields} />}
          </Filters>
        }
      />
    </>
  )
}

function nameOf({ nickname, account }: Row): string {
  return nickname ?? account
}

function FieldFilter({ fields }: { fields: Data['fields'] }) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const [query] = useSearchParams()
  const [fieldId, choose] = useState(query.get('fieldId'))
  const options = fields.find(({ id }) => id === fieldId)?.options ?? []
  return (
    <>
      <FilterChoice
        name="fieldId"
        label={words('field')}
        onChange={choose}
        any={words('anyState')}
        options={fields.map(({ id, name }) => [id, name[language]])}
      />
      {options.length > 0 ? (
        <FilterChoice
          key={fieldId}
          name="answer"
          label={words('answer')}
          any={words('anyState')}
          options={options.map(({ key, name }) => [key, name[language]])}
        />
      ) : (
        <FilterText key={fieldId} name="answer" label={words('answer')} />
      )}
    </>
  )
}

function columnsIn(words: Translate, language: 'zh' | 'en'): Column<Row>[] {
  const posts = (row: Row) => row.topics + row.comments + row.replies
  return [
    { name: 'account', label: words('account'), show: (row) => <MemberCell row={row} />, text: ({ account }) => account },
    { name: 'nickname', label: words('nickname'), text: ({ nickname }) => nickname },
    { name: 'state', label: words('state'), show: ({ state }) => <StateMark state={state} />, text: ({ state }) => words(`state${state}`) },
    {
      name: 'roles',
      label: words('roles'),
      show: ({ roles }) =>
        joinNames(
          language,
          roles.map((role) => isolate(role[language])),
        ),
      text: ({ roles }) =>
        joinNames(
          language,
          roles.map((role) => role[language]),
        ),
    },
    { name: 'posts', label: words('posts'), show: posts, text: (row) => String(posts(row)) },
    { name: 'joined', label: words('joined'), time: ({ joinedAt }) => joinedAt },
    { name: 'seen', label: words('seen'), time: ({ lastSeenAt }) => lastSeenAt },
    { name: 'ip', label: words('joinedIp'), text: ({ joinedIp }) => joinedIp, isExtra: true },
  ]
}

function MemberCell({ row }: { row: Row }) {
  const words = useWords('memberAdmin')
  return (
    <>
      <Link to={`/admin/member/view?memberId=${row.id}`}>{row.account}</Link>{' '}
      {row.isOfficial && <span className="mark">{words('official')}</span>}
    </>
  )
}

function AddMember() {
  const words = useWords('memberAdmin')
  const go = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [newMember, setNewMember] = useState<Output<typeof addMember> | null>(null)

  function added(answer: Output<typeof addMember>): void {
    setOpen(false)
    setNewMember(answer)
  }

  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words('add')}
      </button>
      <Dialog title={words('add')} isOpen={isOpen} close={() => setOpen(false)}>
        <Form endpoint={addMember} onSuccess={added}>
          <Field name="account" label={words('account')} help={words('accountHelp')} autoComplete="off" required data-first />
          <Submit>{words('add')}</Submit>
        </Form>
      </Dialog>
      {newMember && (
        <OneTimePassword password={newMember.password} close={() => void go(`/admin/member/view?memberId=${newMember.memberId}`)} />
      )}
    </>
  )
}
