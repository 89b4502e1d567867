/** The cost of our Argon2id. */
export const argon2Cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
