import { useState } from 'react'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { EditMenu } from '#base/admin/manage.tsx'
import { ShortListTable } from '#base/admin/short-list-table.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Card, Specification } from '#membership/admin/card-fields.tsx'
import { priceText, timeText } from '#membership/admin/price.tsx'
import { SpecificationForm, StockForm } from '#membership/admin/specification-form.tsx'
import type { removeSpecification } from '#membership/staff-contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#membership/admin/membership.module.css'

type Open = { what: 'add' } | { what: 'edit' | 'stock'; id: string }

export function Specifications({ card, hasCash }: { card: Card; hasCash: boolean }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const its = open && open.what !== 'add' ? card.specifications.find(({ id }) => id === open.id) : undefined
  const name = its?.name[language] ?? ''
  const title = !open ? '' : open.what === 'add' ? words('addOption') : words(open.what === 'edit' ? 'editOption' : 'stockOf', { name })
  return (
    <section>
      <div className={css.head}>
        <h2>{words('options')}</h2>
        <button type="button" className="button" onClick={() => setOpen({ what: 'add' })}>
          {words('addOption')}
        </button>
      </div>
      {card.specifications.length === 0 ? (
        <Empty>{words('noOptionsYet')}</Empty>
      ) : (
        <Table specifications={card.specifications} hasCash={hasCash} open={setOpen} />
      )}
      <Dialog title={title} isOpen={open !== null} close={close}>
        {open?.what === 'add' && <SpecificationForm cardId={card.id} specification={null} onDone={close} />}
        {open?.what === 'edit' && its && (
          <VersionedForm item={its}>{(now) => <SpecificationForm cardId={card.id} specification={now} onDone={close} />}</VersionedForm>
        )}
        {open?.what === 'stock' && its && <StockForm specification={its} onDone={close} />}
      </Dialog>
    </section>
  )
}

type TableProps = { specifications: readonly Specification[]; hasCash: boolean; open: (open: Open) => void }

function Table({ specifications, hasCash, open }: TableProps) {
  return (
    <ShortListTable
      items={specifications}
      columns={useColumns(hasCash)}
      renderActions={(one) => <Actions specification={one} open={open} />}
    />
  )
}

function useColumns(hasCash: boolean): ShortListColumn<Specification>[] {
  const words = useWords('membershipAdmin')
  return [
    { label: words('option'), show: (one) => <Name of={one} isUnshown={!hasCash && one.price.cash !== null} /> },
    { label: words('price'), show: (one) => <Price of={one} /> },
    { label: words('duration'), text: ({ duration, unit }) => timeText(duration, unit, words) },
    { label: words('left'), text: ({ left }) => (left === null ? words('unlimited') : words('number', { count: left })) },
    { label: words('sold'), text: ({ sold }) => words('number', { count: sold }) },
    { label: words('sort'), text: ({ sort }) => String(sort) },
  ]
}

function Name({ of: { name, isEnabled }, isUnshown }: { of: Specification; isUnshown: boolean }) {
  const words = useWords('membershipAdmin')
  return (
    <>
      <bdi>{name[useLanguage()]}</bdi> {!isEnabled && <span className="mark">{words('disabled')}</span>}
      {isUnshown && isEnabled && <div className="meta">{words('isUnshown')}</div>}
    </>
  )
}

function Price({ of: { price, listPrice } }: { of: Specification }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  return (
    <div>
      {priceText(price, words, language)} {listPrice !== null && <del className="meta">{amountText(listPrice, 'cny', language)}</del>}
    </div>
  )
}

function Actions({ specification: { id, name: names }, open }: { specification: Specification; open: (open: Open) => void }) {
  const words = useWords('membershipAdmin')
  const name = names[useLanguage()]
  const remove = useAction<typeof removeSpecification>('/admin/membershipCard/specification/remove')
  return (
    <EditMenu
      name={name}
      edit={() => open({ what: 'edit', id })}
      confirmation={words('removeOptionAsk', { name })}
      remove={() => remove.run({ specificationId: id })}
    >
      <MenuButton onClick={() => open({ what: 'stock', id })}>{words('changeStock')}</MenuButton>
    </EditMenu>
  )
}
