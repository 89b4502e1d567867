import { Fragment, useId, useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { joinNames } from '#base/language.ts'
import { AddOrEdit, EditMenu, Manage, NameFields, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import { rightGroups, rightWord } from '#staff/admin/right-words.ts'
import { mayDo, type StaffRight } from '#staff/admin/staff.tsx'
import type { removeStaffRole, staffRoles } from '#staff/contract.ts'
import { addStaffRole, editStaffRole, staffRights } from '#staff/right-contract.ts'

type Role = Output<typeof staffRoles>['roles'][number]

export function Page() {
  const words = useWords('staffAdmin')
  const say = useTranslate()
  const language = useLanguage()
  const { roles } = useLoaderData<Output<typeof staffRoles>>()
  const rightsOf = ({ isAdministrator, rights }: Role) => {
    const names = rights.map((right) => say(rightWord(right)))
    return isAdministrator ? words('everything') : joinNames(language, names) || words('nothing')
  }
  return (
    <Manage<Role>
      title={words('roles')}
      summary={words('rolesWhat')}
      addLabel={words('addRole')}
      items={roles}
      labelOf={({ name }) => name[language]}
      columns={[
        nameColumn(words('role'), { show: ({ name }) => name[language], isSortable: true }),
        { label: words('rights'), text: rightsOf },
        { label: words('holders'), text: ({ holders }) => String(holders), isSortable: true },
      ]}
      form={RoleForm}
      renderActions={(role, edit) => !role.isAdministrator && <Actions role={role} edit={edit} />}
    />
  )
}

function Actions({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('staffAdmin')
  const name = role.name[useLanguage()]
  const remove = useAction<typeof removeStaffRole>('/admin/staffRole/remove')
  return (
    <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => remove.run({ roleId: role.id })}>
      <LogLink about={`staffRole ${role.id}`} />
    </EditMenu>
  )
}

function RoleForm({ item: role, onDone }: EditFormProps<Role>) {
  return (
    <AddOrEdit
      addEndpoint={addStaffRole}
      editEndpoint={editStaffRole}
      editedId={role && { roleId: role.id, version: role.version }}
      onDone={onDone}
    >
      <NameFields name={role?.name} maxLength={30} />
      <Rights given={role?.rights ?? []} />
    </AddOrEdit>
  )
}

/** All rights, grouped like the menu; one checkbox selects a whole group. */
function Rights({ given: first }: { given: readonly string[] }) {
  const words = useWords('staffAdmin')
  const say = useTranslate()
  const help = useId()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(first))

  function give(rights: readonly StaffRight[], isGiven: boolean): void {
    const mine = new Set(rights.filter(mayDo))
    setSelected(new Set(staffRights.filter((right) => (mine.has(right) ? isGiven : selected.has(right)))))
  }

  return rightGroups.map(({ title, rights }) => (
    <CheckboxGroup key={title} legend={words(title)}>
      <label>
        <input
          type="checkbox"
          disabled={!rights.some(mayDo)}
          checked={rights.every((right) => selected.has(right))}
          onChange={({ target }) => give(rights, target.checked)}
        />{' '}
        <strong>{words('allOfThese')}</strong>
      </label>
      {rights.map((right) => (
        <Fragment key={right}>
          <label>
            <input
              type="checkbox"
              name="rights"
              value={right}
              disabled={!mayDo(right)}
              checked={selected.has(right)}
              onChange={({ target }) => give([right], target.checked)}
              aria-describedby={right === 'site.backup' ? help : undefined}
            />{' '}
            {say(rightWord(right))}
          </label>
          {right === 'site.backup' && (
            <p id={help} className="meta">
              {words('backupWhat')}
            </p>
          )}
        </Fragment>
      ))}
    </CheckboxGroup>
  ))
}
