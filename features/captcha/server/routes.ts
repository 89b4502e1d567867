import { anyone, on } from '#base/server/route.ts'
import { makeCaptcha } from '#captcha/contract.ts'
import * as captcha from '#captcha/server/captcha.ts'

export const routes = [
  on(makeCaptcha, anyone, ({ db, input, from }) => captcha.make(db, input, from), {
    limits: [{ times: 30, seconds: 60, by: 'ip' }],
    takesStale: true,
    secret: true,
  }),
]
