import { members, route } from '#base/server/http/route.ts'
import * as contract from '#second-factor/contract.ts'
import { askPasskeyProof } from '#second-factor/passkey-contract.ts'
import * as passkey from '#second-factor/server/passkey.ts'
import * as proof from '#second-factor/server/proof.ts'

export const routes = [
  route(contract.proofForm, members, ({ db, viewer }) => proof.form(db, viewer)),
  route(
    askPasskeyProof,
    members,
    ({ db, viewer, client }) => passkey.requestPasskeySignature(db, { purpose: 'prove', memberId: viewer.id }, client),
    {
      limits: [{ times: 20, seconds: 60, by: 'member' }],
      secret: true,
    },
  ),
  route(contract.prove, members, ({ db, viewer }) => proof.recordProof(db, viewer), {
    prepare: proof.prepare,
    limits: [{ times: 20, seconds: 60, by: 'member' }],
    secret: true,
  }),
]
