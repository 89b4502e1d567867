import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import { List } from '#base/admin/list.tsx'
import { useDeclaredColumns } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Menu } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { timeText } from '#membership/admin/price.tsx'
import { gifts, type GiftTaskView } from '#membership/gift-contract.ts'

type Gifts = Output<typeof gifts>

export function Page() {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { page, task } = useLoaderData<{ page: Gifts; task: GiftTaskView | undefined }>()
  const ends = ({ endsAt }: Gifts['rows'][number]) => (endsAt ? <Time at={endsAt} /> : <span className="meta">{words('giftSkipped')}</span>)
  const columns = useDeclaredColumns(gifts, { endsAt: { show: ends } })
  const name = task?.name ?? words('gift')
  return (
    <>
      <Head title={<bdi>{name}</bdi>}>
        {task && (
          <Menu label={words('actionsFor', { name })}>
            <LogLink about={`giftTask ${task.id}`} />
          </Menu>
        )}
      </Head>
      {task && (
        <p className="meta">
          <span className="mark">{words(`gift${task.state}`)}</span>{' '}
          {task.role
            ? words('giftGets', { role: task.role.name[language], time: timeText(task.duration, task.unit, words) })
            : words('giftRoleGone')}
          {' · '}
          {words('giftGiven', { given: task.given, skipped: task.skipped })}
        </p>
      )}
      <h2>{words('giftReceivers')}</h2>
      <List of={gifts} page={page} columns={columns} />
    </>
  )
}
