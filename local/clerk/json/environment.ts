const ATTRIBUTE_OFF = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [] as string[],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [] as string[],
  verify_at_sign_up: false,
}

const OFF = [
  'phone_number',
  'username',
  'web3_wallet',
  'first_name',
  'last_name',
  'authenticator_app',
  'backup_code',
  'passkey',
]

/** An e-mail address and a password, nothing to confirm. */
const ATTRIBUTES = {
  ...Object.fromEntries(OFF.map((name) => [name, ATTRIBUTE_OFF])),
  password: { ...ATTRIBUTE_OFF, enabled: true, required: true },
  email_address: {
    ...ATTRIBUTE_OFF,
    enabled: true,
    required: true,
    used_for_first_factor: true,
    first_factors: ['email_code'],
    verifications: ['email_code'],
  },
}

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 72
export const MAX_MEMBERS = 5

/**
 * What clerk-js asks first: how people sign in here, and what is shown to them. What is left out is off or empty by
 * its own defaults, and with it everything that would call another host: captcha, social sign-in, telemetry.
 * @param protectLoaders what clerk-js loads to protect sign-ups
 */
export function environmentJson(origin: string, protectLoaders: object[]) {
  return {
    object: 'environment',
    auth_config: { single_session_mode: true },
    display_config: { application_name: 'Adapt', instance_environment_type: 'production', home_url: origin },
    user_settings: {
      attributes: ATTRIBUTES,
      social: {},
      actions: { delete_self: false, create_organization: true },
      password_settings: {
        min_length: PASSWORD_MIN_LENGTH,
        max_length: PASSWORD_MAX_LENGTH,
        disable_hibp: true,
        show_zxcvbn: false,
      },
    },
    organization_settings: {
      enabled: true,
      max_allowed_memberships: MAX_MEMBERS,
      force_organization_selection: false,
      actions: { admin_delete: true },
      // The role that the form of invitations begins with.
      domains: { enabled: false, enrollment_modes: [], default_role: 'org:member' },
    },
    protect_config: { loaders: protectLoaders },
  }
}
