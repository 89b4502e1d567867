import { anyone, route } from '#base/server/http/route.ts'
import { makeCaptcha } from '#captcha/contract.ts'
import * as captcha from '#captcha/server/captcha.ts'

export const routes = [
  route(makeCaptcha, anyone, ({ db, input, client }) => captcha.make(db, input, client), {
    limits: [{ times: 30, seconds: 60, by: 'ip' }],
    allowsExpiredToken: true,
    secret: true,
  }),
]
