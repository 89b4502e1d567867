import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

/** What one agrees to by joining. */
export function Agreement() {
  const words = useWords('account')
  return (
    <>
      {words('agreeStart')}{' '}
      <Link to="/termsService" target="_blank">
        {words('termsLink')}
      </Link>
    </>
  )
}
