import { useLoaderData, useNavigate } from 'react-router'
import { MomentField } from '#base/admin/moment-field.tsx'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Codes } from '#membership/admin/codes.tsx'
import { addCoupon, editCoupon, maxUses, type couponCodeList, type CouponRow } from '#membership/coupon-contract.ts'
import type { membershipCardsForStaff } from '#membership/staff-contract.ts'
import css from '#membership/admin/membership.module.css'

type Cards = Output<typeof membershipCardsForStaff>['cards']
type Data = { coupon: CouponRow | null; codes: Output<typeof couponCodeList> | null; cards: Cards }

export function Page() {
  const words = useWords('membershipAdmin')
  const { coupon, codes } = useLoaderData<Data>()
  return (
    <>
      <p className="meta">
        <Link to="/admin/coupon">{words('coupons')}</Link>
      </p>
      <h1>{coupon?.name ?? words('addCoupon')}</h1>
      {coupon ? <Editing coupon={coupon} /> : <Adding />}
      {coupon && codes && <Codes coupon={coupon} codes={codes} />}
    </>
  )
}

function Adding() {
  const words = useWords('membershipAdmin')
  const go = useNavigate()

  function added({ couponId }: Output<typeof addCoupon>): Promise<void> | void {
    toast(words('couponAdded'))
    return go(`/admin/coupon/view?couponId=${couponId}`)
  }

  return (
    <div className={css.form}>
      <Form endpoint={addCoupon} onSuccess={added}>
        <Fields coupon={null} />
        <div className={css.pair}>
          <Field name="code" label={words('sharedCode')} help={words('sharedCodeHelp')} maxLength={32} autoCapitalize="characters" />
          <Field name="maxUses" type="number" min={1} max={maxUses} label={words('maxUses')} help={words('maxUsesHelp')} />
        </div>
        <Submit>{words('save')}</Submit>
      </Form>
    </div>
  )
}

function Editing({ coupon }: { coupon: CouponRow }) {
  const words = useWords('membershipAdmin')
  const saved = () => void toast(words('saved'))
  return (
    <div className={css.form}>
      <VersionedForm key={coupon.id} item={coupon} staysOpen>
        {(now) => (
          <Form endpoint={editCoupon} extra={{ couponId: now.id, version: now.version }} onSuccess={saved}>
            <Fields coupon={now} />
            <Submit>{words('save')}</Submit>
          </Form>
        )}
      </VersionedForm>
    </div>
  )
}

function Fields({ coupon }: { coupon: CouponRow | null }) {
  const words = useWords('membershipAdmin')
  const amount = { maxLength: 13, autoComplete: 'off' } as const
  const number = { type: 'number', min: 1 } as const
  return (
    <>
      <UnsavedGuard />
      <Field name="name" label={words('couponName')} help={words('couponNameHelp')} defaultValue={coupon?.name} required maxLength={60} />
      <div className={css.pair}>
        <Field
          {...number}
          name="percent"
          max={100}
          label={words('percent')}
          help={words('percentHelp')}
          defaultValue={coupon?.percent ?? ''}
        />
        <Field {...amount} name="cash" inputMode="decimal" label={words('offCash')} defaultValue={coupon?.off.cash ?? ''} />
        <Field {...amount} name="points" inputMode="numeric" label={words('offPoints')} defaultValue={coupon?.off.points ?? ''} />
      </div>
      <div className={css.pair}>
        <Field
          {...amount}
          name="minPrice"
          inputMode="decimal"
          label={words('minPrice')}
          help={words('minPriceHelp')}
          defaultValue={coupon?.minPrice ?? ''}
        />
        <Field
          {...number}
          name="usesPerMember"
          max={1000}
          label={words('usesPerMember')}
          help={words('maxUsesHelp')}
          defaultValue={coupon?.usesPerMember ?? ''}
        />
      </div>
      <div className={css.pair}>
        <MomentField name="startsAt" label={words('startsAt')} help={words('startsAtHelp')} at={coupon?.startsAt ?? null} />
        <MomentField name="endsAt" label={words('endsAt')} help={words('endsAtHelp')} at={coupon?.endsAt ?? null} />
      </div>
      <ForCards coupon={coupon} />
      <Field name="isEnabled" type="checkbox" label={words('isEnabled')} defaultChecked={coupon?.isEnabled ?? true} />
    </>
  )
}

function ForCards({ coupon }: { coupon: CouponRow | null }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { cards } = useLoaderData<Data>()
  const isIts = (id: string) => coupon?.cards.some((card) => card.id === id) ?? false
  const offered = cards.filter(({ id, isRemoved }) => !isRemoved || isIts(id))
  if (offered.length === 0) return null
  return (
    <CheckboxGroup legend={words('forCards')}>
      {offered.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="cardIds" value={id} defaultChecked={isIts(id)} aria-describedby="for-cards-help" />{' '}
          <bdi>{name[language]}</bdi>
        </label>
      ))}
      <p id="for-cards-help" className="help">
        {words('forCardsHelp')}
      </p>
    </CheckboxGroup>
  )
}
