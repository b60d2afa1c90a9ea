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
export function userSettings() {
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
