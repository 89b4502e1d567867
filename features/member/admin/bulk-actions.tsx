import { useState, type ReactNode } from 'react'
import type { SelectedRows } from '#base/admin/selection.ts'
import { Form, LabelledControl, Submit, TextField, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { AboutBatch, Batch, type Finish, type BulkAction } from '#batch/admin/batch.tsx'
import { BanFields } from '#member/admin/bans.tsx'
import { DurationField } from '#member/admin/duration-field.tsx'
import type { memberList } from '#member/contract.ts'
import { banMany, disableMany, enableMany, endSessionsOfMany, giveRoleToMany, takeRoleFromMany } from '#member/many-contract.ts'
import type { Output } from '#base/contract.ts'
import { mayDo, type StaffRight } from '#staff/admin/staff.tsx'

type Data = Output<typeof memberList>
type Row = Data['rows'][number]
type Deed = 'giveRole' | 'takeRole' | 'ban' | 'disable' | 'enable' | 'endSessions'

const calls = {
  giveRole: giveRoleToMany,
  takeRole: takeRoleFromMany,
  ban: banMany,
  disable: disableMany,
  enable: enableMany,
  endSessions: endSessionsOfMany,
} as const

const rights: Record<Deed, StaffRight> = {
  giveRole: 'role.manage',
  takeRole: 'role.manage',
  ban: 'member.ban',
  disable: 'member.ban',
  enable: 'member.ban',
  endSessions: 'member.access',
}

const deeds = Object.keys(rights) as Deed[]

/** The bulk actions above the list of members; nothing without any right to them. */
export function useMemberBatch(roles: Data['roleChoices']) {
  const words = useWords('memberAdmin')
  const offers = deeds
    .filter((deed) => mayDo(rights[deed]))
    .map((deed): BulkAction<Row> => ({
      name: deed,
      label: words(`many${deed}`),
      form: (chosen, finish) => <MemberForm deed={deed} roles={roles} chosen={chosen} finish={finish} />,
    }))
  if (offers.length === 0) return undefined
  return (chosen: SelectedRows<Row>, done: () => void) => <Batch offers={offers} chosen={chosen} done={done} />
}

type MemberFormProps = { deed: Deed; roles: Data['roleChoices']; chosen: SelectedRows<Row>; finish: Finish }

function MemberForm({ deed, roles, chosen, finish }: MemberFormProps) {
  const words = useWords('memberAdmin')
  return (
    <Form endpoint={calls[deed]} extra={chosen.which} onSuccess={finish}>
      <p>{words(`many${deed}What`)}</p>
      <DeedFields deed={deed} roles={roles} />
      <AboutBatch chosen={chosen} isFinal={deed === 'endSessions'} />
      <Submit danger={deed === 'ban' || deed === 'disable' || deed === 'endSessions'}>{words(`many${deed}`)}</Submit>
    </Form>
  )
}

/** The fields that an action needs beside its members. */
function DeedFields({ deed, roles }: Pick<MemberFormProps, 'deed' | 'roles'>): ReactNode {
  const words = useWords('memberAdmin')
  if (deed === 'giveRole')
    return (
      <>
        <RoleChoice roles={roles} />
        <DurationField />
      </>
    )
  if (deed === 'takeRole') return <RoleChoice roles={roles} />
  if (deed === 'ban') return <BanFields />
  if (deed === 'disable') return <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} required data-first />
  return null
}

function RoleChoice({ roles }: Pick<MemberFormProps, 'roles'>) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const { setValue, clearError } = useForm()
  const [chosen, setChosen] = useState('')

  function choose(roleId: string): void {
    setChosen(roleId)
    clearError('roleId')
    setValue('roleId', roleId || undefined)
  }

  return (
    <LabelledControl name="roleId" label={words('role')}>
      {(control) => (
        <select {...control} required value={chosen} data-first onChange={({ target }) => choose(target.value)}>
          <option value="">{words('chooseRole')}</option>
          {roles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  )
}
