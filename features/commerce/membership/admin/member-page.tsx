import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { List } from '#base/admin/list.tsx'
import { useDeclaredColumns } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useDay } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { orderCells } from '#membership/admin/orders-page.tsx'
import { SiteClock } from '#membership/admin/site-clock.tsx'
import { membershipOrders, type memberRoleTimes } from '#membership/order-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#membership/admin/orders.module.css'

type Times = Output<typeof memberRoleTimes>

export function Page() {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { page, times } = useLoaderData<{ page: Output<typeof membershipOrders>; times: Times }>()
  const { member, roles } = times
  return (
    <SiteClock>
      <Head title={words('membershipsOf', { name: member.name })} />
      {mayDo('member.view') && (
        <p>
          <Link to={`/admin/member/view?memberId=${member.id}`}>{words('toMember')}</Link>
        </p>
      )}
      <h2>{words('roleTimes')}</h2>
      {roles.length === 0 ? <Empty>{words('noRoleTimes')}</Empty> : <Roles roles={roles} />}
      <h2>{words('orders')}</h2>
      <List of={membershipOrders} page={page} columns={useDeclaredColumns(membershipOrders, orderCells(words, language))} />
    </SiteClock>
  )
}

function Roles({ roles }: Pick<Times, 'roles'>) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const day = useDay()
  return (
    <ul className={css.roles}>
      {roles.map(({ name, from, until, isNow }) => (
        <li key={`${name.en} ${from}`}>
          <bdi>{name[language]}</bdi> {isNow && <span className="mark">{words('roleNow')}</span>}{' '}
          <span className="meta">
            {until ? words('roleFromUntil', { from: day(from), until: day(until) }) : words('roleSince', { from: day(from) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
