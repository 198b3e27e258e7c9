"""Secrets that are known by their form alone: tokens of services, hashes of passwords, addresses with a password.

Facts: what the services document about their tokens, and the public lists of secret scanners. All patterns are for re2
and have no groups. Counterpart: `secrets`.
"""

from __future__ import annotations

# kind -> the whole secret
FORMATS: dict[str, str] = {
    "github": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})",
    "gitlab": r"\bgl(?:pat|dt|rt|ptt|soat|cbt|ft|oas|agent|imt)-[A-Za-z0-9_.-]{16,}",
    "slack": r"\bxox[abeoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}",
    "slack_webhook": r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}",
    "discord_webhook": r"discord(?:app)?\.com/api/webhooks/\d{15,22}/[A-Za-z0-9_-]{30,}",
    "aws": r"\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[A-Z2-7]{16}\b",
    "google": r"\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}",
    "stripe": r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9+/=]{20,}",
    "openai": r"\bsk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]{2,10}-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}",
    "npm": r"\bnpm_[A-Za-z0-9]{30,}",
    "pypi": r"\bpypi-[A-Za-z0-9_-]{40,}",
    "hugging_face": r"\b(?:hf|api_org)_[A-Za-z0-9]{28,}",
    "jwt": r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}",
    "telegram": r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,36}",
    "sendgrid": r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}",
    "mailgun": r"\bkey-[0-9a-f]{32}\b|\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b",
    "mailchimp": r"\b[0-9a-f]{32}-us\d{1,2}\b",
    "twilio": r"\b(?:SK|AC)[0-9a-f]{32}\b",
    "digitalocean": r"\bdo[opr]_v1_[0-9a-f]{64}",
    "shopify": r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "square": r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}|\bEAAA[A-Za-z0-9_-]{60}",
    "databricks": r"\bdapi[0-9a-f]{32}(?:-\d)?",
    "hashicorp": r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}|\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",
    "grafana": r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}",
    "postman": r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "newrelic": r"\bNR(?:AK|JS|AA|RA)-[A-Za-z0-9-]{20,}",
    "linear": r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}",
    "notion": r"\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})",
    "dropbox": r"\bsl\.[A-Za-z0-9_-]{60,}",
    "docker": r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}",
    "atlassian": r"\bAT[AC]TT3[A-Za-z0-9_=-]{50,}",
    "more_services": r"\b(?:gsk|xai|r8|pplx|fw|nvapi|tgp_v1|sntrys|sntryu|rubygems|figd|dp\.pt|pscale_(?:tkn|pw))"
    r"[_.-][A-Za-z0-9_.-]{30,}",
    "azure_ad": r"\b[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}",
    "signature": r"(?i)[?&](?:sig|x-amz-signature|x-goog-signature)=[A-Za-z0-9%+/=_-]{20,}",
    "age": r"(?i)\bAGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}",
    "password_hash": r"\$(?:apr1|1|2[abxy]?|5|6|7|y|gy|md5|sha1|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\d+)?)"
    r"\$[A-Za-z0-9./$=,+-]{20,}",
    "wordpress_hash": r"\$[PH]\$[A-Za-z0-9./]{31}",
}

# What stands before a secret that goes on to the next blank or quote.
LEADS: dict[str, str] = {
    "address": r"""(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s/@:"'<>`\\]*:""",
    "authorization": r"""(?i)\b(?:bearer|basic|token|digest|apikey|negotiate|bot)[ \t]{1,4}""",
    "curl": r"""(?i)\b(?:curl|wget|http)[ \t](?:[^\n]*?[ \t])?(?:-u|--user)[ \t=]{1,3}["']?[^\s:"']+:""",
    "sshpass": r"""\bsshpass[ \t]+-p[ \t]*""",
    "mysql": r"""\bmysql(?:dump|admin|import)?\b[^\n|;]*?[ \t]-p""",
    "sql": r"""(?i)\bidentified[ \t]+by[ \t]+(?:password[ \t]+)?""",
    "netrc": r"""(?i)\blogin\s{1,40}\S+\s{1,40}password\s{1,40}""",
    "redis": r"""(?i)^[ \t]*(?:requirepass|masterauth)[ \t]+|\n[ \t]*(?:requirepass|masterauth)[ \t]+""",
}
