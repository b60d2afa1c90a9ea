import { findUser } from '../store/user-store.ts'
import type { Attempt, StandInDb, User } from '../tables.ts'
import { userImageUrl } from './user-resources.ts'

// Clerk's time to finish signing in or up.
const ABANDON_MS = 24 * 60 * 60 * 1000

const REQUIRED_FIELDS = ['email_address', 'password']

export async function signInJson(db: StandInDb, attempt: Attempt) {
  const user = attempt.userId ? await findUser(db, attempt.userId) : null
  const isComplete = attempt.sessionId !== null
  return {
    object: 'sign_in',
    id: attempt.id,
    status: isComplete ? 'complete' : 'needs_first_factor',
    supported_identifiers: ['email_address'],
    identifier: attempt.email,
    supported_first_factors: [{ strategy: 'password' }],
    supported_second_factors: null,
    first_factor_verification: isComplete ? passwordVerification() : null,
    second_factor_verification: null,
    user_data: user && userData(user),
    created_session_id: attempt.sessionId,
    abandon_at: attempt.createdAtMs + ABANDON_MS,
  }
}

function passwordVerification() {
  return { status: 'verified', strategy: 'password', attempts: 1, expire_at: null, error: null }
}

function userData(user: User) {
  return { first_name: user.firstName, last_name: user.lastName, image_url: userImageUrl(user), has_image: false }
}

/** The required fields that a sign-up has not given yet, in their order. */
export function missingFields(attempt: Attempt): string[] {
  const given = { email_address: attempt.email, password: attempt.passwordHash }
  return REQUIRED_FIELDS.filter((field) => !given[field as keyof typeof given])
}

/** @param protectCheck what it still has to pass; null for nothing */
export function signUpJson(attempt: Attempt, protectCheck: object | null) {
  return {
    object: 'sign_up',
    id: attempt.id,
    status: attempt.sessionId ? 'complete' : 'missing_requirements',
    required_fields: REQUIRED_FIELDS,
    optional_fields: [],
    missing_fields: missingFields(attempt),
    unverified_fields: [],
    verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
    email_address: attempt.email,
    has_password: attempt.passwordHash !== null,
    first_name: attempt.firstName,
    last_name: attempt.lastName,
    username: null,
    phone_number: null,
    unsafe_metadata: {},
    protect_check: protectCheck,
    created_session_id: attempt.sessionId,
    created_user_id: attempt.userId,
    legal_accepted_at: null,
    abandon_at: attempt.createdAtMs + ABANDON_MS,
  }
}
