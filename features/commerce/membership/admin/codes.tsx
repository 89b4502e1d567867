import { useState } from 'react'
import { LogLink } from '#audit/admin/audit.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import { useDeclaredColumns } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Menu } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import {
  addCouponCode,
  couponCodeList,
  limitCouponCode,
  makeCouponCodes,
  maxCodes,
  maxPrefix,
  maxUses,
  noteCodesExport,
  type CodeRow,
  type CouponRow,
} from '#membership/coupon-contract.ts'
import css from '#membership/admin/membership.module.css'

type Open = 'make' | 'add' | CodeRow

export function Codes({ coupon, codes }: { coupon: CouponRow; codes: Output<typeof couponCodeList> }) {
  const words = useWords('membershipAdmin')
  const [open, setOpen] = useState<Open | null>(null)
  const columns = useCodeColumns(setOpen)
  const close = () => setOpen(null)
  const title = open === null ? '' : typeof open === 'string' ? words(open === 'make' ? 'makeCodes' : 'addCode') : open.code
  return (
    <section>
      <div className={css.head}>
        <h2>{words('codes')}</h2>
        <div className={css.head}>
          <button type="button" className="button" onClick={() => setOpen('make')}>
            {words('makeCodes')}
          </button>
          <button type="button" className="button quiet" onClick={() => setOpen('add')}>
            {words('addCode')}
          </button>
          <Menu label={words('actionsFor', { name: coupon.name })}>
            <LogLink about={`coupon ${coupon.id}`} />
          </Menu>
        </div>
      </div>
      {codes.count === 0 ? (
        <Empty>{words('noCodes')}</Empty>
      ) : (
        <List of={couponCodeList} page={codes} columns={columns} exporting={noteCodesExport} />
      )}
      <Dialog title={title} isOpen={open !== null} close={close}>
        {open === 'make' && <MakeCodesForm couponId={coupon.id} onDone={close} />}
        {open === 'add' && <AddCodeForm couponId={coupon.id} onDone={close} />}
        {open !== null && typeof open !== 'string' && <LimitCodeForm code={open} onDone={close} />}
      </Dialog>
    </section>
  )
}

function useCodeColumns(open: (row: CodeRow) => void): Column<CodeRow>[] {
  const words = useWords('membershipAdmin')
  return useDeclaredColumns(couponCodeList, {
    code: { show: ({ code }) => <code>{code}</code> },
    uses: { show: ({ uses }) => words('number', { count: uses }) },
    maxUses: {
      show: (row) => (
        <>
          {row.maxUses === null ? words('unlimited') : words('number', { count: row.maxUses })}{' '}
          <button type="button" className="plain" aria-label={words('changeLimitOf', { code: row.code })} onClick={() => open(row)}>
            {words('change')}
          </button>
        </>
      ),
    },
  })
}

function MakeCodesForm({ couponId, onDone }: { couponId: string; onDone: () => void }) {
  const words = useWords('membershipAdmin')

  function made({ count }: Output<typeof makeCouponCodes>): void {
    toast(words('codesMade', { count }))
    onDone()
  }

  return (
    <Form endpoint={makeCouponCodes} extra={{ couponId }} onSuccess={made}>
      <Field name="count" type="number" min={1} max={maxCodes} label={words('codeCount')} required data-first />
      <Field name="prefix" label={words('prefix')} help={words('prefixHelp')} maxLength={maxPrefix} autoCapitalize="characters" />
      <Field name="maxUses" type="number" min={1} max={maxUses} label={words('usesEach')} defaultValue={1} required />
      <Submit>{words('makeCodes')}</Submit>
    </Form>
  )
}

function AddCodeForm({ couponId, onDone }: { couponId: string; onDone: () => void }) {
  const words = useWords('membershipAdmin')
  return (
    <Form endpoint={addCouponCode} extra={{ couponId }} onSuccess={onDone}>
      <Field name="code" label={words('code')} help={words('codeHelp')} maxLength={32} required data-first autoCapitalize="characters" />
      <Field name="maxUses" type="number" min={1} max={maxUses} label={words('maxUses')} help={words('maxUsesHelp')} />
      <Submit>{words('addCode')}</Submit>
    </Form>
  )
}

function LimitCodeForm({ code, onDone }: { code: CodeRow; onDone: () => void }) {
  const words = useWords('membershipAdmin')
  return (
    <Form endpoint={limitCouponCode} extra={{ codeId: code.id }} onSuccess={onDone}>
      <p>{words('usedSoFar', { count: code.uses })}</p>
      <Field
        name="maxUses"
        type="number"
        min={1}
        max={maxUses}
        label={words('maxUses')}
        help={words('maxUsesHelp')}
        defaultValue={code.maxUses ?? ''}
        data-first
      />
      <Submit>{words('save')}</Submit>
    </Form>
  )
}
