import { useState } from 'react'
import { AddOrEdit, NameFields, SortField } from '#base/admin/manage.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { SelectField, Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { units } from '#membership/contract.ts'
import type { Specification } from '#membership/admin/card-fields.tsx'
import { addSpecification, changeStock, editSpecification, maxName, maxStock, stockChanges } from '#membership/staff-contract.ts'
import css from '#membership/admin/membership.module.css'

const longestAmount = 13
const unitWords = { hour: 'unitHour', day: 'unitDay', month: 'unitMonth', year: 'unitYear' } as const

type SpecificationFormProps = { cardId: string; specification: Specification | null; onDone: () => void }

export function SpecificationForm({ cardId, specification: its, onDone }: SpecificationFormProps) {
  const words = useWords('membershipAdmin')
  const money = { inputMode: 'decimal', maxLength: longestAmount, autoComplete: 'off' } as const
  const one = its && { specificationId: its.id, version: its.version }
  return (
    <AddOrEdit addEndpoint={addSpecification} editEndpoint={editSpecification} editedId={one} onDone={onDone}>
      {!its && <input type="hidden" name="cardId" value={cardId} />}
      <NameFields name={its?.name} maxLength={maxName} />
      <div className={css.pair}>
        <Field name="cash" label={words('cash')} help={words('cashHelp')} defaultValue={its?.price.cash ?? ''} {...money} />
        <Field
          name="points"
          label={words('points')}
          help={words('pointsHelp')}
          defaultValue={its?.price.points ?? ''}
          inputMode="numeric"
          maxLength={longestAmount}
          autoComplete="off"
        />
      </div>
      <Field name="listPrice" label={words('listPrice')} help={words('listPriceHelp')} defaultValue={its?.listPrice ?? ''} {...money} />
      <div className={css.pair}>
        <Field name="duration" type="number" min={1} max={1000} label={words('duration')} defaultValue={its?.duration ?? 1} required />
        <SelectField name="unit" label={words('unit')} defaultValue={its?.unit ?? 'month'}>
          {units.map((unit) => (
            <option key={unit} value={unit}>
              {words(unitWords[unit])}
            </option>
          ))}
        </SelectField>
      </div>
      {its && its.sold > 0 && <p className="help">{words('soldStay')}</p>}
      {!its && <Field name="stock" type="number" min={0} max={maxStock} label={words('stock')} help={words('stockHelp')} />}
      <Field name="isEnabled" type="checkbox" label={words('isEnabled')} defaultChecked={its?.isEnabled ?? true} />
      <SortField sort={its?.sort} />
    </AddOrEdit>
  )
}

type How = (typeof stockChanges)[number]
const howWords = { add: 'stockAdd', take: 'stockTake', limit: 'stockLimit', unlimit: 'stockUnlimit' } as const satisfies Record<How, string>

/** Changes the stock by a difference, so that concurrent sales and changes count too. */
export function StockForm({ specification: { id, left }, onDone }: { specification: Specification; onDone: () => void }) {
  const words = useWords('membershipAdmin')
  const offered = stockChanges.filter((how) => (how === 'limit') === (left === null))
  const [how, choose] = useState<How>(offered[0] ?? 'limit')
  return (
    <Form endpoint={changeStock} extra={{ specificationId: id }} onSuccess={onDone}>
      <UnsavedGuard />
      <p>{left === null ? words('unlimitedNow') : words('leftNow', { count: left })}</p>
      <SelectField
        name="how"
        label={words('how')}
        value={how}
        onChange={({ target }) => choose(offered.find((one) => one === target.value) ?? how)}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {words(howWords[one])}
          </option>
        ))}
      </SelectField>
      {how !== 'unlimit' && <Field name="units" type="number" min={1} max={maxStock} label={words('units')} required data-first />}
      <Submit>{words('save')}</Submit>
    </Form>
  )
}
