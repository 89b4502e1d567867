import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { ShortListTable } from '#base/admin/short-list-table.tsx'
import { ShortListTools } from '#base/admin/short-list-tools.tsx'
import { Head } from '#base/admin/head.tsx'
import { EditMenu } from '#base/admin/manage.tsx'
import { nameColumn, type ShortListColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { priceText } from '#membership/admin/price.tsx'
import type { membershipCardsForStaff, removeMembershipCard, restoreMembershipCard } from '#membership/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type Data = Output<typeof membershipCardsForStaff>
type Card = Data['cards'][number]

export function Page() {
  const words = useWords('membershipAdmin')
  const { cards, hasCash } = useLoaderData<Data>()
  const columns = useColumns()
  return (
    <>
      <Head title={words('cards')}>
        {mayDo('membership.manage') && (
          <Link to="/admin/membershipCard/edit" className="button">
            {words('addCard')}
          </Link>
        )}
      </Head>
      <p className="meta">{words('cardsWhat')}</p>
      {!hasCash && <p className="note">{words('noCash')}</p>}
      <ShortListTools items={cards} columns={columns}>
        {(visible) =>
          cards.length === 0 ? (
            <Empty>{words('noCards')}</Empty>
          ) : (
            <ShortListTable items={visible} columns={columns} renderActions={(card) => <Actions card={card} />} />
          )
        }
      </ShortListTools>
    </>
  )
}

function useColumns(): ShortListColumn<Card>[] {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  return [
    nameColumn(words('card'), { show: (card) => <CardName card={card} />, isSortable: true }),
    {
      label: words('role'),
      text: ({ role }) => role?.name[language] ?? '',
      show: ({ role }) => (role ? <bdi>{role.name[language]}</bdi> : words('roleGone')),
      isSortable: true,
    },
    {
      label: words('price'),
      text: (card) => priceRange(card, words, language),
      show: (card) => priceRange(card, words, language) || words('noOptions'),
    },
    {
      label: words('sold'),
      text: ({ sold }) => String(sold),
      show: ({ sold }) => words('number', { count: sold }),
      isSortable: true,
    },
    { label: words('state'), text: (card) => words(stateOf(card)), show: (card) => <State card={card} /> },
    { label: words('sort'), text: ({ sort }) => String(sort), isSortable: true },
  ]
}

function CardName({ card: { id, name, unshown } }: { card: Card }) {
  const words = useWords('membershipAdmin')
  const called = name[useLanguage()]
  return (
    <>
      {mayDo('membership.manage') ? <Link to={`/admin/membershipCard/edit?cardId=${id}`}>{called}</Link> : <bdi>{called}</bdi>}
      {unshown > 0 && <div className="meta">{words('unshown', { count: unshown })}</div>}
    </>
  )
}

function State({ card }: { card: Card }) {
  const words = useWords('membershipAdmin')
  return (
    <div>
      <span className="mark">{words(stateOf(card))}</span>
    </div>
  )
}

function Actions({ card: { id, name, isRemoved } }: { card: Card }) {
  const words = useWords('membershipAdmin')
  const called = name[useLanguage()]
  const remove = useAction<typeof removeMembershipCard>('/admin/membershipCard/remove')
  const restore = useAction<typeof restoreMembershipCard>('/admin/membershipCard/restore')
  const log = <LogLink about={`membershipCard ${id}`} />

  async function bringBack(): Promise<void> {
    await restore.run({ cardId: id }, { message: words('restored') })
  }

  async function takeAway(): Promise<void> {
    if (await remove.run({ cardId: id })) toast(words('removed'), { label: words('undo'), retry: () => void bringBack() })
  }

  if (!mayDo('membership.manage') || isRemoved)
    return (
      <Menu label={words('actionsFor', { name: called })}>
        {mayDo('membership.manage') && <MenuButton onClick={() => void bringBack()}>{words('restore')}</MenuButton>}
        {log}
      </Menu>
    )
  return (
    <EditMenu
      name={called}
      edit={`/admin/membershipCard/edit?cardId=${id}`}
      confirmation={words('removeCardAsk', { name: called })}
      remove={takeAway}
    >
      {log}
    </EditMenu>
  )
}

function stateOf({ isRemoved, isOnSale }: Card): 'isRemoved' | 'onSale' | 'offSale' {
  return isRemoved ? 'isRemoved' : isOnSale ? 'onSale' : 'offSale'
}

function priceRange({ prices }: Card, words: Translate, language: string): string {
  if (!prices) return ''
  const [from, to] = [priceText(prices.from, words, language), priceText(prices.to, words, language)]
  return from === to ? from : words('fromTo', { from, to })
}
