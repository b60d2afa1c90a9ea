const ATTRIBUTE_OFF = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
}

const EMAIL_ADDRESS = {
  ...ATTRIBUTE_OFF,
  enabled: true,
  required: true,
  used_for_first_factor: true,
  first_factors: ['email_code'],
  verifications: ['email_code'],
}

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 72

/** Who may sign up and how: an e-mail address and a password, nothing to confirm. */
function userSettings() {
  return {
    attributes: {
      email_address: EMAIL_ADDRESS,
      password: { ...ATTRIBUTE_OFF, enabled: true, required: true },
      phone_number: ATTRIBUTE_OFF,
      username: ATTRIBUTE_OFF,
      web3_wallet: ATTRIBUTE_OFF,
      first_name: ATTRIBUTE_OFF,
      last_name: ATTRIBUTE_OFF,
      authenticator_app: ATTRIBUTE_OFF,
      backup_code: ATTRIBUTE_OFF,
      passkey: ATTRIBUTE_OFF,
    },
    social: {},
    enterprise_sso: { enabled: false },
    saml: { enabled: false },
    actions: { delete_self: false, create_organization: true },
    sign_in: { second_factor: { required: false, enabled: false } },
    sign_up: signUpSettings(),
    password_settings: passwordSettings(),
    passkey_settings: { allow_autofill: false, show_sign_in_button: false },
    username_settings: { min_length: 4, max_length: 64 },
    attack_protection: { enumeration_protection: { enabled: false } },
  }
}

function signUpSettings() {
  return {
    captcha_enabled: false,
    captcha_widget_type: null,
    mode: 'public',
    progressive: true,
    allowlist_only: false,
    legal_consent_enabled: false,
    custom_action_required: false,
    mfa: { required: false },
  }
}

function passwordSettings() {
  return {
    min_length: PASSWORD_MIN_LENGTH,
    max_length: PASSWORD_MAX_LENGTH,
    disable_hibp: true,
    require_lowercase: false,
    require_uppercase: false,
    require_numbers: false,
    require_special_char: false,
    show_zxcvbn: false,
    min_zxcvbn_strength: 0,
    allowed_special_characters: '',
  }
}

/**
 * What clerk-js asks first: how people sign in here, and what is shown to them.
 * Everything that would call another host is off: captcha, social sign-in, telemetry.
 * @param protectLoaders what clerk-js loads to protect sign-ups
 */
export function environmentJson(origin: string, protectLoaders: object[]) {
  return {
    object: 'environment',
    id: 'env_local',
    maintenance_mode: false,
    client_debug_mode: false,
    partitioned_cookies: false,
    auth_config: authConfig(),
    display_config: displayConfig(origin),
    user_settings: userSettings(),
    organization_settings: organizationSettings(),
    commerce_settings: {
      billing: {
        stripe_publishable_key: null,
        organization: { enabled: false, has_paid_plans: false },
        user: { enabled: false, has_paid_plans: false },
      },
    },
    api_keys_settings: { enabled: false },
    protect_config: { object: 'protect_config', id: '', loaders: protectLoaders },
  }
}

function authConfig() {
  return {
    object: 'auth_config',
    id: 'aconf_local',
    single_session_mode: true,
    busy_since: null,
    reverification: false,
    preferred_channels: null,
    session_minter: false,
  }
}

function displayConfig(origin: string) {
  return {
    object: 'display_config',
    id: 'display_config_local',
    application_name: 'Adapt',
    branded: false,
    instance_environment_type: 'production',
    preferred_sign_in_strategy: 'password',
    captcha_public_key: null,
    captcha_public_key_invisible: null,
    captcha_widget_type: null,
    captcha_provider: 'turnstile',
    captcha_oauth_bypass: [],
    captcha_heartbeat: false,
    home_url: origin,
    show_devmode_warning: false,
    theme: {},
    logo_image_url: '',
    favicon_image_url: '',
    support_email: '',
    terms_url: '',
    privacy_policy_url: '',
    ...emptyUrls(),
  }
}

function emptyUrls() {
  return {
    sign_in_url: '',
    sign_up_url: '',
    user_profile_url: '',
    after_sign_in_url: '',
    after_sign_up_url: '',
    after_sign_out_all_url: '',
    after_sign_out_one_url: '',
    after_switch_session_url: '',
    organization_profile_url: '',
    create_organization_url: '',
    after_leave_organization_url: '',
    after_create_organization_url: '',
    waitlist_url: '',
    after_join_waitlist_url: '',
  }
}

function organizationSettings() {
  return {
    enabled: true,
    max_allowed_memberships: 5,
    force_organization_selection: false,
    actions: { admin_delete: true },
    domains: { enabled: false, enrollment_modes: [], default_role: 'org:member' },
    slug: { disabled: false },
    organization_creation_defaults: { enabled: false },
  }
}
