import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { joinNames } from '#base/language.ts'
import { ShortListTable } from '#base/admin/short-list-table.tsx'
import { ShortListTools } from '#base/admin/short-list-tools.tsx'
import { Head } from '#base/admin/head.tsx'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Secret } from '#staff/admin/secret.tsx'
import { mayDo, me } from '#staff/admin/staff.tsx'
import { addStaff, editStaff, type resetStaff, type staffList, type staffRoles } from '#staff/contract.ts'

type Staffer = Output<typeof staffList>['staff'][number]
type Roles = Output<typeof staffRoles>['roles']
type Data = { staff: Staffer[]; roles: Roles }
type NewPassword = { password: string; who: string }

export function Page() {
  const words = useWords('staffAdmin')
  const { staff, roles } = useLoaderData<Data>()
  const columns = useColumns(roles)
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Staffer | null>(null)
  const [shown, setShown] = useState<NewPassword | null>(null)
  return (
    <>
      <Head title={words('staff')}>
        <button type="button" className="button" onClick={() => setAdding(true)}>
          {words('add')}
        </button>
      </Head>
      <p className="meta">{words('staffWhat')}</p>
      <ShortListTools items={staff} columns={columns}>
        {(visible) => (
          <ShortListTable
            items={visible}
            columns={columns}
            renderActions={(one) => <Actions one={one} edit={() => setEdited(one)} show={setShown} />}
          />
        )}
      </ShortListTools>
      <Dialog title={words('add')} isOpen={isAdding} close={() => setAdding(false)}>
        <AddForm
          roles={roles}
          onDone={(newPassword) => {
            setAdding(false)
            setShown(newPassword)
          }}
        />
      </Dialog>
      <Dialog title={words('editOf', { account: edited?.account ?? '' })} isOpen={edited !== null} close={() => setEdited(null)}>
        {edited && (
          <VersionedForm item={staff.find(({ id }) => id === edited.id) ?? edited}>
            {(one) => <EditForm one={one} roles={roles} onDone={() => setEdited(null)} />}
          </VersionedForm>
        )}
      </Dialog>
      {shown && <Secret text={shown.password} who={shown.who} close={() => setShown(null)} />}
    </>
  )
}

function useColumns(roles: Roles): ShortListColumn<Staffer>[] {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  return [
    { label: words('account'), text: ({ account }) => account, show: (one) => <Account one={one} />, isSortable: true },
    { label: words('speaksAs'), show: ({ speaksAs }) => <SpeaksAs member={speaksAs} /> },
    { label: words('roles'), text: ({ roleIds }) => namesOf(roles, roleIds, language) || words('noRole'), isSortable: true },
    { label: words('secondFactor'), text: ({ hasSecondFactor }) => words(hasSecondFactor ? 'on' : 'off') },
    {
      label: words('lastSeen'),
      text: ({ lastSeenAt }) => lastSeenAt ?? '',
      show: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : words('never')),
      isSortable: true,
    },
  ]
}

function namesOf(roles: Roles, ids: readonly string[], language: 'zh' | 'en'): string {
  return joinNames(
    language,
    roles.filter(({ id }) => ids.includes(id)).map(({ name }) => name[language]),
  )
}

function Account({ one: { id, account, isDisabled } }: { one: Staffer }) {
  const words = useWords('staffAdmin')
  return (
    <>
      {account} {id === me.get()?.id && <span className="mark">{words('you')}</span>}{' '}
      {isDisabled && <span className="mark">{words('disabled')}</span>}
    </>
  )
}

function SpeaksAs({ member: { id, name } }: { member: Staffer['speaksAs'] }) {
  return mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${id}`}>{name}</Link> : name
}

function Actions({ one: { id, account }, edit, show }: { one: Staffer; edit: () => void; show: (shown: NewPassword) => void }) {
  const words = useWords('staffAdmin')
  const reset = useAction<typeof resetStaff>('/admin/staff/reset')

  async function renew(): Promise<void> {
    if (!(await confirm(words('resetAsk', { account }), words('reset')))) return
    const result = await reset.run({ staffId: id })
    if (result) show({ password: result.password, who: account })
  }

  return (
    <Menu label={words('actionsFor', { account })}>
      <MenuButton onClick={edit}>{words('edit')}</MenuButton>
      <LogLink about={`staff ${id}`} />
      <MenuButton danger onClick={() => void renew()}>
        {words('reset')}
      </MenuButton>
    </Menu>
  )
}

function AddForm({ roles, onDone }: { roles: Roles; onDone: (shown: NewPassword) => void }) {
  const words = useWords('staffAdmin')
  const [account, setAccount] = useState('')
  return (
    <Form endpoint={addStaff} onSuccess={({ password }) => onDone({ password, who: account })}>
      <Field
        name="account"
        label={words('account')}
        help={words('accountHelp')}
        autoComplete="off"
        required
        data-first
        onInput={(event) => setAccount(event.currentTarget.value)}
      />
      <RoleCheckboxes roles={roles} held={[]} />
      <UnsavedGuard />
      <Submit>{words('add')}</Submit>
    </Form>
  )
}

function EditForm({ one, roles, onDone }: { one: Staffer; roles: Roles; onDone: () => void }) {
  const words = useWords('staffAdmin')
  return (
    <Form endpoint={editStaff} extra={{ staffId: one.id, version: one.version }} onSuccess={onDone}>
      <UnsavedGuard />
      <RoleCheckboxes roles={roles} held={one.roleIds} />
      <Field name="isDisabled" type="checkbox" label={words('lockOut')} help={words('lockOutHelp')} defaultChecked={one.isDisabled} />
      <Submit>{words('save')}</Submit>
    </Form>
  )
}

function RoleCheckboxes({ roles, held }: { roles: Roles; held: readonly string[] }) {
  const words = useWords('staffAdmin')
  const language = useLanguage()
  return (
    <CheckboxGroup legend={words('roles')}>
      {roles.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="roleIds" value={id} defaultChecked={held.includes(id)} /> {name[language]}
        </label>
      ))}
    </CheckboxGroup>
  )
}
