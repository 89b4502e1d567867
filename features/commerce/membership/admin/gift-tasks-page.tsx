import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { EditMenu, Manage } from '#base/admin/manage.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { GiftForm } from '#membership/admin/gift-form.tsx'
import { timeText } from '#membership/admin/price.tsx'
import type { giftTasks, GiftTaskView, removeGiftTask } from '#membership/gift-contract.ts'
import css from '#membership/admin/gifts.module.css'

export function Page() {
  const words = useWords('membershipAdmin')
  const { tasks } = useLoaderData<Output<typeof giftTasks>>()
  return (
    <Manage<GiftTaskView>
      title={words('gifts')}
      summary={words('giftsWhat')}
      addLabel={words('giftAdd')}
      items={tasks}
      labelOf={({ name }) => name}
      columns={[
        { label: words('giftName'), text: ({ name }) => name },
        { label: words('giftState'), text: ({ state }) => words(`gift${state}`) },
        { label: words('giftReceivers'), text: ({ given }) => String(given) },
      ]}
      form={GiftForm}
    >
      {(visible, edit) => (
        <ul className={css.tasks}>
          {visible.map((task) => (
            <li key={task.id}>
              <Line task={task} edit={() => edit(task)} />
            </li>
          ))}
        </ul>
      )}
    </Manage>
  )
}

function Line({ task, edit }: { task: GiftTaskView; edit: () => void }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const removing = useAction<typeof removeGiftTask>('/admin/giftTask/remove')
  const { id, name, role, kind, duration, unit, state, given, skipped } = task
  const isUnused = given === 0 && skipped === 0
  return (
    <>
      <div>
        <p>
          <Link to={`/admin/giftTask/view?taskId=${id}`}>{name}</Link> <span className="mark">{words(`gift${state}`)}</span>
        </p>
        <p className="meta">
          {role ? words('giftGets', { role: role.name[language], time: timeText(duration, unit, words) }) : words('giftRoleGone')}
          {' · '}
          {words(`gift${kind}`)}
          {' · '}
          {words('giftGiven', { given, skipped })}
        </p>
      </div>
      <EditMenu
        name={name}
        edit={edit}
        confirmation={words('giftRemoveAsk', { name })}
        remove={isUnused ? () => removing.run({ taskId: id }) : undefined}
      >
        <LogLink about={`giftTask ${id}`} />
      </EditMenu>
    </>
  )
}
