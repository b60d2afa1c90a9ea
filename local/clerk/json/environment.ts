/** An e-mail address and a password, nothing to confirm; clerk-js takes what is not named for disabled. */
const ATTRIBUTES = {
  password: { enabled: true, required: true, first_factors: [], second_factors: [], verifications: [] },
  email_address: {
    enabled: true,
    required: true,
    used_for_first_factor: true,
    first_factors: ['email_code'],
    second_factors: [],
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
export function environmentJson(
  { origin, isMembershipRequired }: { origin: string; isMembershipRequired: boolean },
  protectLoaders: object[],
) {
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
      force_organization_selection: isMembershipRequired,
      actions: { admin_delete: true },
      // The role that the form of invitations begins with.
      domains: { enabled: false, enrollment_modes: [], default_role: 'org:member' },
    },
    protect_config: { loaders: protectLoaders },
  }
}
