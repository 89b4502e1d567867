import { Fragment } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { EditMenu, Manage } from '#base/admin/manage.tsx'
import { nameColumn, type ShortListColumn } from '#base/admin/filter-tree.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { MenuButton } from '#base/web/menu.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { RoleForm, type Data, type Role } from '#role/admin/role-form.tsx'
import type { makeRoleDefault, removeRole } from '#role/staff-contract.ts'

export function Page() {
  const words = useWords('roleAdmin')
  const language = useLanguage()
  const data = useLoaderData<Data>()
  return (
    <Manage<Role>
      title={words('roles')}
      summary={words('what')}
      addLabel={words('add')}
      items={data.roles}
      labelOf={({ name }) => name[language]}
      columns={useColumns()}
      form={RoleForm}
      renderActions={(role, edit) => <Actions role={role} edit={edit} />}
    />
  )
}

function useColumns(): ShortListColumn<Role>[] {
  const words = useWords('roleAdmin')
  return [
    nameColumn(words('role'), { show: (role) => <RoleName role={role} /> }),
    { label: words('rights'), show: ({ rights }) => words('rightCount', { count: new Set(rights.map(({ right }) => right)).size }) },
    { label: words('holders'), text: ({ isDefault, holders }) => (isDefault ? words('everybody') : String(holders)) },
    { label: words('sort'), text: ({ sort }) => String(sort) },
  ]
}

function RoleName({ role }: { role: Role }) {
  const words = useWords('roleAdmin')
  const language = useLanguage()
  return (
    <>
      <bdi>{role.name[language]}</bdi> {role.isDefault && <span className="mark">{words('default')}</span>}
      <Sellers role={role} />
    </>
  )
}

function Sellers({ role: { cards, tasks } }: { role: Role }) {
  const words = useWords('roleAdmin')
  const language = useLanguage()
  const sold = cards.map(({ id, name }) => ({ to: `/admin/membershipCard/edit?cardId=${id}`, name: name[language] }))
  const taskLinks = tasks.map(({ id, name }) => ({ to: `/admin/giftTask/view?taskId=${id}`, name }))
  const lines = [
    { label: words('soldBy'), by: sold },
    { label: words('givenBy'), by: taskLinks },
  ].filter(({ by }) => by.length > 0)
  return lines.map(({ label, by }) => (
    <div key={label} className="meta">
      {label}{' '}
      {by.map(({ to, name }, index) => (
        <Fragment key={to}>
          {index > 0 && ', '}
          <Link to={to}>{name}</Link>
        </Fragment>
      ))}
    </div>
  ))
}

function Actions({ role, edit }: { role: Role; edit: () => void }) {
  const words = useWords('roleAdmin')
  const name = role.name[useLanguage()]
  const remove = useAction<typeof removeRole>('/admin/role/remove')
  const makeDefault = useAction<typeof makeRoleDefault>('/admin/role/default')

  const asks = words('removeAsk', { name, count: role.holders })

  async function give(): Promise<void> {
    if (await confirm(words('defaultAsk', { name }), words('makeDefault'))) await makeDefault.run({ roleId: role.id })
  }

  const log = <LogLink about={`role ${role.id}`} />
  if (role.isDefault)
    return (
      <EditMenu name={name} edit={edit} confirmation={asks}>
        {log}
      </EditMenu>
    )
  return (
    <EditMenu name={name} edit={edit} confirmation={asks} remove={() => remove.run({ roleId: role.id, evenIfHeld: true })}>
      <MenuButton onClick={() => void give()}>{words('makeDefault')}</MenuButton>
      {log}
    </EditMenu>
  )
}
